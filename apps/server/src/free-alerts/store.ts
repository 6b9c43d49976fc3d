import { openStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { literals } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

export type EndReason = 'withdrawn' | 'expired' | 'charging' | 'passed' | 'replaced' | 'closed' | 'unseen';

/** Drivers who wait for a connector of a station, or for power of a site. Each is one queue. */
export type QueueKey = { station: number } | { site: number };

const isIn = (key: QueueKey) =>
  'site' in key
    ? sql<boolean>`free_alerts.site_id = ${key.site}`
    : sql<boolean>`free_alerts.station_id = ${key.station} and free_alerts.site_id is null`;

export const queueOf = (row: { station_id: number; site_id: number | null }): QueueKey =>
  row.site_id === null ? { station: row.station_id } : { site: row.site_id };

/** The driver has opened an operation since. */
const hasBegun = sql<boolean>`exists (select 1 from operations o where o.user_id = free_alerts.user_id
  and o.created_at >= free_alerts.created_at and o.status in (${literals(openStatuses)}))`;

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
            .where('b.site_id', 'is', null)
            .as('ahead'),
        )
        .where('a.user_id', '=', user)
        .where('a.station_id', '=', station)
        .where('a.ended_at', 'is', null)
        .where('a.site_id', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },

    async waitingAt(station: number, except: number): Promise<{ type: string; count: number }[]> {
      return db
        .selectFrom('free_alerts')
        .select(['connector_type as type', sql<number>`count(*)::int`.as('count')])
        .where(isIn({ station }))
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
        .where(isIn({ station: alert.station }))
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

    async end(step: Step, id: number, reason: EndReason, user?: number): Promise<QueueKey | null> {
      const row = await step.db
        .updateTable('free_alerts')
        .set(ended(reason))
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? 0))
        .returning(['station_id', 'site_id'])
        .executeTakeFirst();
      return row ? queueOf(row) : null;
    },

    /** Ends the alerts of drivers who have started to charge. Returns how many. */
    async endOfCharging(step: Step, key: QueueKey): Promise<number> {
      const { numUpdatedRows } = await step.db
        .updateTable('free_alerts')
        .set(ended('charging'))
        .where(isIn(key))
        .where('ended_at', 'is', null)
        .where(hasBegun)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** The open alerts of a queue in their order. No other step changes them until this one ends. */
    async lockQueue(step: Step, key: QueueKey) {
      return step.db
        .selectFrom('free_alerts')
        .selectAll()
        .where(isIn(key))
        .where('ended_at', 'is', null)
        .orderBy('id')
        .forUpdate()
        .execute();
    },

    async offer(step: Step, id: number, connector: number, until: Date, lookAt = until): Promise<void> {
      await step.db
        .updateTable('free_alerts')
        .set({ notified_connector_id: connector, head_start_until: until, next_action_at: lookAt })
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

    /** The place of a user in the queue of a site, with the number of drivers before it. */
    async placeOf(user: number, site: number) {
      const row = await db
        .selectFrom('free_alerts')
        .selectAll()
        .select(
          sql<number>`(select count(*)::int from free_alerts b
            where b.site_id = free_alerts.site_id and b.id < free_alerts.id and b.ended_at is null)`.as('ahead'),
        )
        .where('user_id', '=', user)
        .where(isIn({ site }))
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },

    /** A driver who goes to another connector of the site keeps the place. */
    async join(
      step: Step,
      place: {
        user: number;
        site: number;
        station: number;
        type: string;
        connector: number;
        expiresAt: Date;
        lookAt: Date;
        pageUntil: Date | null;
      },
    ): Promise<void> {
      const where = { station_id: place.station, connector_type: place.type, connector_id: place.connector };
      await step.db
        .insertInto('free_alerts')
        .values({
          ...where,
          user_id: place.user,
          site_id: place.site,
          created_at: clock.now(),
          expires_at: place.expiresAt,
          next_action_at: place.lookAt,
          page_until: place.pageUntil,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'site_id'])
            .where(sql<boolean>`ended_at is null and site_id is not null`)
            .doUpdateSet(where)
            // What is kept is kept at the connector of the notice; the driver may use it at another one too.
            .where('free_alerts.notified_connector_id', 'is', null),
        )
        .execute();
    },

    /** Turns of a user at a site that came to nothing, since then. */
    async unusedTurns(step: Step, { user, site, since }: { user: number; site: number; since: Date }): Promise<number> {
      const { count } = await step.db
        .selectFrom('free_alerts')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', user)
        .where(isIn({ site }))
        .where('ended_at', '>', since)
        .where('notified_connector_id', 'is not', null)
        .where('end_reason', 'in', ['passed', 'unseen', 'withdrawn'])
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Until when the page keeps the place; null when a channel reaches its driver. */
    async follow(id: number, until: Date | null): Promise<void> {
      await db
        .updateTable('free_alerts')
        .set({ page_until: until })
        .$if(until !== null, (query) =>
          query.set({ next_action_at: sql<Date>`least(next_action_at, ${until}::timestamptz)` }),
        )
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
    },

    async keepPage(step: Step, id: number, until: Date): Promise<void> {
      await step.db.updateTable('free_alerts').set({ page_until: until }).where('id', '=', id).execute();
    },

    /** Drivers who wait for power of a site, in order, without those who have opened an operation since. */
    async waitingForPower(from: Database | Step['db'], site: number) {
      const rows = await from
        .selectFrom('free_alerts')
        .innerJoin('users', 'users.id', 'free_alerts.user_id')
        .select(['free_alerts.id', 'free_alerts.user_id as user', 'users.name'])
        .select(['free_alerts.connector_id', 'free_alerts.notified_connector_id'])
        .select(['free_alerts.created_at as since', 'free_alerts.head_start_until as until'])
        .where(isIn({ site }))
        .where('free_alerts.ended_at', 'is', null)
        .where((of) => of.not(hasBegun))
        .orderBy('free_alerts.id')
        .execute();
      return rows.map(({ connector_id, notified_connector_id, ...row }) => ({
        ...row,
        connector: notified_connector_id ?? connector_id ?? 0,
        isNotified: notified_connector_id !== null,
      }));
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
        .where('site_id', 'is', null)
        .execute();
      return new Set(rows.map(({ station }) => station));
    },
  };
}

export type FreeAlertStore = ReturnType<typeof createFreeAlertStore>;
