import { openStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { literals } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

export type EndReason = 'withdrawn' | 'expired' | 'charging' | 'passed' | 'replaced';

/** Rows of the queues. A row that has ended is never changed again. */
export function createFreeAlertStore(db: Database, clock: Clock) {
  const ended = (reason: EndReason) => ({ ended_at: clock.now(), end_reason: reason, next_action_at: null });

  return {
    /** The open alert of a user, with the number of drivers before it who wait for the same type. */
    async ofUser(user: number, station: number) {
      const row = await db
        .selectFrom('free_alerts as a')
        .selectAll('a')
        .select((of) =>
          of
            .selectFrom('free_alerts as b')
            .select(sql<number>`count(*)::int`.as('count'))
            .whereRef('b.station_id', '=', 'a.station_id')
            .whereRef('b.connector_type', '=', 'a.connector_type')
            .whereRef('b.id', '<', 'a.id')
            .where('b.ended_at', 'is', null)
            .as('ahead'),
        )
        .where('a.user_id', '=', user)
        .where('a.station_id', '=', station)
        .where('a.ended_at', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },

    async waitingAt(station: number, except: number): Promise<{ type: string; count: number }[]> {
      return db
        .selectFrom('free_alerts')
        .select(['connector_type as type', sql<number>`count(*)::int`.as('count')])
        .where('station_id', '=', station)
        .where('user_id', '!=', except)
        .where('ended_at', 'is', null)
        .groupBy('connector_type')
        .execute();
    },

    async add(
      step: Step,
      alert: { user: number; station: number; type: string; connector: number | null; expiresAt: Date; lookAt: Date },
    ): Promise<void> {
      await step.db
        .updateTable('free_alerts')
        .set(ended('replaced'))
        .where('user_id', '=', alert.user)
        .where('station_id', '=', alert.station)
        .where('ended_at', 'is', null)
        .execute();
      await step.db
        .insertInto('free_alerts')
        .values({
          user_id: alert.user,
          station_id: alert.station,
          connector_type: alert.type,
          connector_id: alert.connector,
          created_at: clock.now(),
          expires_at: alert.expiresAt,
          next_action_at: alert.lookAt,
        })
        // The same driver asked twice at one moment; the first request counts.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async end(step: Step, id: number, reason: EndReason, user?: number): Promise<{ station: number } | null> {
      const row = await step.db
        .updateTable('free_alerts')
        .set(ended(reason))
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? 0))
        .returning('station_id as station')
        .executeTakeFirst();
      return row ?? null;
    },

    /** Ends the alerts of drivers who have started to charge. */
    async endOfCharging(step: Step, station: number): Promise<void> {
      await step.db
        .updateTable('free_alerts')
        .set(ended('charging'))
        .where('station_id', '=', station)
        .where('ended_at', 'is', null)
        .where(
          sql<boolean>`exists (select 1 from operations o where o.user_id = free_alerts.user_id
            and o.created_at >= free_alerts.created_at and o.status in (${literals(openStatuses)}))`,
        )
        .execute();
    },

    /** The open alerts of a station in their order. No other step changes them until this one ends. */
    async lockQueue(step: Step, station: number) {
      return step.db
        .selectFrom('free_alerts')
        .selectAll()
        .where('station_id', '=', station)
        .where('ended_at', 'is', null)
        .orderBy('id')
        .forUpdate()
        .execute();
    },

    async offer(step: Step, id: number, connector: number, until: Date): Promise<void> {
      await step.db
        .updateTable('free_alerts')
        .set({ notified_connector_id: connector, head_start_until: until, next_action_at: until })
        .where('id', '=', id)
        .execute();
    },

    async waitAgain(step: Step, id: number, at: Date): Promise<void> {
      const waiting = { notified_connector_id: null, head_start_until: null, next_action_at: at };
      await step.db.updateTable('free_alerts').set(waiting).where('id', '=', id).execute();
    },

    async lookAgain(step: Step, id: number, at: Date): Promise<void> {
      await step.db.updateTable('free_alerts').set({ next_action_at: at }).where('id', '=', id).execute();
    },

    async find(step: Step, id: number) {
      return step.db.selectFrom('free_alerts').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** Those of the stations at which somebody waits. */
    async withQueue(stations: readonly number[]): Promise<Set<number>> {
      const rows = await db
        .selectFrom('free_alerts')
        .select('station_id as station')
        .distinct()
        .where(sql<boolean>`station_id = any(${stations}::bigint[])`)
        .where('ended_at', 'is', null)
        .execute();
      return new Set(rows.map(({ station }) => station));
    },
  };
}

export type FreeAlertStore = ReturnType<typeof createFreeAlertStore>;
