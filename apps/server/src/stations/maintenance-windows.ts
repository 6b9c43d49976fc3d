import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { DueKind } from '../platform/jobs/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';

export interface MaintenanceWindow {
  id: number;
  stationId: number;
  /** Null for the whole station. */
  connectorId: number | null;
  reason: string;
  startsAt: Date;
  endsAt: Date | null;
  isActive: boolean;
}

export interface NewWindow {
  station: number;
  connector: number | null;
  reason: string;
  startsAt: Date;
  endsAt: Date | null;
}

/** True for a connector where work goes on. The query has a table `connectors`. */
export const isUnderMaintenance: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from maintenance_windows
  where maintenance_windows.station_id = connectors.station_id and maintenance_windows.status = 'active'
    and (maintenance_windows.connector_id is null or maintenance_windows.connector_id = connectors.id))`;

/** Work of these stations that goes on now or is planned, in the order of its start. */
export async function openWindows(db: Database, stations: readonly number[]): Promise<MaintenanceWindow[]> {
  if (stations.length === 0) return [];
  const rows = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('station_id', 'in', stations)
    .where('status', '!=', 'ended')
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    stationId: row.station_id,
    connectorId: row.connector_id,
    reason: row.reason,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    isActive: row.status === 'active',
  }));
}

/** Planned and present work. A connector under work accepts no new charge; a running charge goes on. */
export interface MaintenanceWindows {
  plan(step: Step, window: NewWindow): Promise<number>;
  /**
   * Ends work now, or withdraws planned work. Returns what it was.
   * @refuses not_found, action_not_applicable
   */
  end(step: Step, id: number): Promise<{ station: number; reason: string }>;
  /** Begins and ends work when its time has come. */
  due: Extract<DueKind, { name: 'maintenance-window' }>;
}

export function createMaintenanceWindows(clock: Clock): MaintenanceWindows {
  /** The next moment at which something changes; null when only staff can end it. */
  const nextAction = (status: string, { startsAt, endsAt }: Pick<NewWindow, 'startsAt' | 'endsAt'>) =>
    status === 'planned' ? startsAt : status === 'active' ? endsAt : null;

  function statusAt(now: Date, { startsAt, endsAt }: Pick<NewWindow, 'startsAt' | 'endsAt'>) {
    if (endsAt !== null && endsAt <= now) return 'ended';
    return startsAt <= now ? 'active' : 'planned';
  }

  return {
    async plan(step, window) {
      const status = statusAt(clock.now(), window);
      const { id } = await step.db
        .insertInto('maintenance_windows')
        .values({
          station_id: window.station,
          connector_id: window.connector,
          reason: window.reason,
          starts_at: window.startsAt,
          ends_at: window.endsAt,
          status,
          created_at: clock.now(),
          next_action_at: nextAction(status, window),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      step.publish('station', window.station);
      return id;
    },

    async end(step, id) {
      const window = await step.db
        .selectFrom('maintenance_windows')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!window) throw new Refusal('not_found');
      if (window.status === 'ended') throw new Refusal('action_not_applicable');
      const now = clock.now();
      // Work that is withdrawn before it begins lasted no time.
      const endsAt = window.starts_at > now ? window.starts_at : now;
      await step.db
        .updateTable('maintenance_windows')
        .set({ status: 'ended', ends_at: endsAt, next_action_at: null })
        .where('id', '=', id)
        .execute();
      step.publish('station', window.station_id);
      return { station: window.station_id, reason: window.reason };
    },

    due: {
      name: 'maintenance-window',
      table: 'maintenance_windows',
      async act(step, id) {
        const row = await step.db
          .selectFrom('maintenance_windows')
          .select(['station_id', 'status', 'starts_at as startsAt', 'ends_at as endsAt'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const status = row.status === 'ended' ? 'ended' : statusAt(clock.now(), row);
        await step.db
          .updateTable('maintenance_windows')
          .set({ status, next_action_at: nextAction(status, row) })
          .where('id', '=', id)
          .execute();
        step.publish('station', row.station_id);
      },
    },
  };
}
