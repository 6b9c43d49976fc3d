import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { DeviceStates } from '../../stations/device-states.ts';
import type { Wishes } from '../commands/wishes.ts';
import type { ChargingPort } from '../device/charging-port.ts';
import type { Timings } from '../timings.ts';
import { setOnline } from './charge-points.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  deviceStates: DeviceStates;
  hooks: ChargingPort;
  wishes: Pick<Wishes, 'connected'>;
  nodeId: string;
  timings: Timings;
}

export interface Opened {
  epoch: number;
  lostAt: number | null;
  /** When this connection (epoch) began. */
  connectedAt: number;
}

export interface Lost {
  chargePointId: number;
  epoch: number;
  lastFrameAt: number;
}

type Held = Pick<Lost, 'chargePointId' | 'epoch'>;

const asIs = (id: number) => id;
const chargePointOf = ({ chargePointId }: Held) => chargePointId;

/** A reconnect storm of ten thousand devices is written in batches of this size, each in one transaction. */
const mostInGroup = 200;

/**
 * Which node holds the socket of each charge point. Every connection takes the next epoch; what an older one reports
 * about its state changes nothing.
 */
export function createSocketOwners({
  db,
  steps,
  rows: loops,
  clock,
  deviceStates,
  hooks,
  wishes,
  nodeId,
  timings,
}: Dependencies) {
  const opening = createBatch<number, Opened>({
    waitMs: timings.batchWaitMs,
    most: mostInGroup,
    keyOf: (chargePointId) => chargePointId,
    run: (ids) => steps.run((step) => open(step, ids)),
  });
  const closing = createBatch<Lost, void>({
    waitMs: timings.batchWaitMs,
    most: mostInGroup,
    async run(lost) {
      await steps.run((step) => close(step, lost));
      return [];
    },
  });

  // After the end of a node each of its devices is published, and the node that has it now looks at its own connection.
  const epochLookup = createBatch<number, number | null>({
    waitMs: timings.batchWaitMs,
    most: mostInGroup,
    async run(ids) {
      const rows = await db
        .selectFrom('charge_point_links')
        .select(['charge_point_id', 'epoch'])
        .where('charge_point_id', 'in', ids)
        .execute();
      const byId = new Map(rows.map((row) => [row.charge_point_id, row.epoch]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });

  const setOnlineOf = (step: Step, ids: readonly number[], isOnline: boolean) =>
    setOnline(step, { clock, deviceStates }, ids, isOnline);

  async function open(step: Step, ids: readonly number[]): Promise<Opened[]> {
    const now = clock.now();
    // The same order everywhere, so that two nodes that take over from each other cannot deadlock.
    const sorted = [...ids].sort((a, b) => a - b);
    const before = await step.db
      .selectFrom('charge_point_links')
      .select(['charge_point_id', 'node_id', 'lost_at', 'connected_at'])
      .where('charge_point_id', 'in', sorted)
      .orderBy('charge_point_id')
      .forUpdate()
      .execute();
    const { rows } = await sql<{ charge_point_id: number; epoch: number }>`
      insert into charge_point_links as l (charge_point_id, epoch, node_id, connected_at)
      select id, 1, ${nodeId}, ${now} from unnest(${sorted}::bigint[]) as id order by id
      on conflict (charge_point_id) do update set epoch = l.epoch + 1, node_id = excluded.node_id,
        connected_at = excluded.connected_at, offline_due_at = null,
        -- A socket that was replaced while it still looked alive was lost at some time before now.
        lost_at = case when l.node_id is null then l.lost_at else excluded.connected_at end
      returning charge_point_id, epoch`.execute(step.db);
    const epochs = new Map(rows.map((row) => [row.charge_point_id, row.epoch]));
    const earlier = new Map(before.map((row) => [row.charge_point_id, row]));
    for (const [id, row] of earlier)
      if (row.node_id !== null && row.node_id !== nodeId) step.publish('charge-point-link', id);
    const changed = await setOnlineOf(step, sorted, true);
    await hooks.chargePointsConnected(step, sorted);
    await wishes.connected(step, sorted);
    if (changed.length > 0) await hooks.chargePointsOnline(step, changed);
    return ids.map((id) => {
      const row = earlier.get(id);
      // The previous socket was replaced while it still looked alive; the device may have been away since any time
      // after it connected.
      const lostAt = row?.node_id ? row.connected_at : row?.lost_at;
      return { epoch: epochs.get(id) ?? 0, lostAt: lostAt?.getTime() ?? null, connectedAt: now.getTime() };
    });
  }

  async function close(step: Step, lost: readonly Lost[]): Promise<void> {
    const sorted = [...lost].sort((a, b) => a.chargePointId - b.chargePointId);
    const column = <T>(of: (one: Lost) => T) => sorted.map(of);
    await sql`
      update charge_point_links l
      set node_id = null, lost_at = v.heard_at, offline_due_at = v.heard_at + ${timings.offlineAfterMs} * interval '1 ms'
      from unnest(${column(({ chargePointId }) => chargePointId)}::bigint[], ${column(({ epoch }) => epoch)}::bigint[],
        ${column(({ lastFrameAt: heardAt }) => new Date(heardAt).toISOString())}::timestamptz[]) as v (id, epoch, heard_at)
      where l.charge_point_id = v.id and l.epoch = v.epoch and l.node_id = ${nodeId}`.execute(step.db);
  }

  async function goOffline(step: Step, due: readonly number[]): Promise<void> {
    const { rows } = await sql<{ charge_point_id: number }>`
      update charge_point_links set offline_due_at = null
      where charge_point_id in (
        select charge_point_id from charge_point_links
        where charge_point_id = any(${due}::bigint[]) and offline_due_at <= ${clock.now()} and node_id is null
        order by charge_point_id for update skip locked)
      returning charge_point_id`.execute(step.db);
    const ids = rows.map((row) => row.charge_point_id);
    const changed = await setOnlineOf(step, ids, false);
    if (changed.length > 0) await hooks.chargePointsOffline(step, changed);
  }

  async function takeBack(step: Step, held: readonly Held[]): Promise<number> {
    const { rows } = await sql<{ charge_point_id: number }>`
      update charge_point_links l set node_id = ${nodeId}, offline_due_at = null
      from unnest(${held.map(chargePointOf)}::bigint[], ${held.map(({ epoch }) => epoch)}::bigint[]) as v (id, epoch)
      where l.charge_point_id = v.id and l.epoch = v.epoch and l.node_id is null
      returning l.charge_point_id`.execute(step.db);
    const ids = rows.map((row) => row.charge_point_id);
    const changed = await setOnlineOf(step, ids, true);
    await hooks.chargePointsConnected(step, ids);
    await wishes.connected(step, ids);
    if (changed.length > 0) await hooks.chargePointsOnline(step, changed);
    return ids.length;
  }

  return {
    open: (chargePointId: number): Promise<Opened> => opening.add(chargePointId),
    /**
     * The socket is closed. The device becomes offline only when it does not reconnect, because most do within seconds.
     */
    lose: (lost: Lost): Promise<void> => closing.add(lost),

    /**
     * Releases the sockets of dead nodes, and marks devices as offline that have been away for long enough. Any node
     * may do it.
     */
    async sweep(): Promise<void> {
      const deadAfter = sql`${timings.nodeDeadAfterMs} * interval '1 ms'`;
      await steps.run(async (step) => {
        await sql`
          update charge_point_links l
          set node_id = null, lost_at = coalesce(n.heartbeat_at, clock_timestamp()),
              offline_due_at = coalesce(n.heartbeat_at, clock_timestamp()) + ${timings.offlineAfterMs} * interval '1 ms'
          from (select distinct node_id from charge_point_links where node_id is not null) held
            left join nodes n on n.id = held.node_id
          where l.node_id = held.node_id
            and (n.id is null or n.heartbeat_at < clock_timestamp() - ${deadAfter})`.execute(step.db);
        await sql`delete from nodes where heartbeat_at < clock_timestamp() - interval '1 day'`.execute(step.db);
      });
      const due = await db
        .selectFrom('charge_point_links')
        .select('charge_point_id')
        .where('offline_due_at', '<=', clock.now())
        .where('node_id', 'is', null)
        .execute();
      const ids = due.map((row) => row.charge_point_id);
      await loops.together('gateway.offline', ids, asIs, (group) => steps.run((step) => goOffline(step, group)));
    },

    /** Uses the database's clock, which all nodes share. */
    async beat(): Promise<void> {
      await sql`
        insert into nodes (id, heartbeat_at, started_at) values (${nodeId}, clock_timestamp(), clock_timestamp())
        on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`.execute(db);
    },

    /**
     * A node that could not write its heartbeat for ten seconds counted as dead, and its links were released. It takes
     * back sockets that are still open, unless the device has connected elsewhere in the meantime.
     */
    async reclaim(held: readonly Held[]): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from charge_point_links where node_id = ${nodeId}`.execute(db);
      if ((rows[0]?.count ?? 0) >= held.length) return 0;
      let taken = 0;
      await loops.together('gateway.reclaim', held, chargePointOf, async (group) => {
        taken += await steps.run((step) => takeBack(step, group));
      });
      return taken;
    },

    epochOf: (chargePointId: number): Promise<number | null> => epochLookup.add(chargePointId),

    async leave(): Promise<void> {
      await opening.drain();
      await closing.drain();
      await db.deleteFrom('nodes').where('id', '=', nodeId).execute();
    },
  };
}

export type SocketOwners = ReturnType<typeof createSocketOwners>;
