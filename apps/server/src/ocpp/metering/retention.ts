import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

const dayMs = 24 * 3_600_000;
/**
 * Readings (13 months), notices (90 days) and messages (7 days) are deleted with their partitions, see
 * `drop_expired_partition()` and `drop_expired_message_day()` in the database.
 */
const commandsKeptMs = 30 * dayMs;
const anomaliesKeptMs = 90 * dayMs;
const refusedKeptMs = 30 * dayMs;
/** Large enough to be fast, small enough that no statement locks many rows for long. */
const batchSize = 5_000;
const curvesInBatch = 200;
/** Every night looks back this far, not over all operations; dropping a partition writes the curves that are missing. */
const curvesLookBackMs = 31 * dayMs;
/**
 * The nightly drop waits at most this long for its lock, because other statements queue behind it. The next night tries
 * again.
 */
const lockTimeout = '5s';

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** Removes what devices reported long ago. */
export interface Retention {
  /** Makes the partitions of the next months. */
  ensurePartitions(): Promise<void>;
  /** Once a night, on one worker. */
  nightly(): Promise<void>;
}

/** Deletes old reports of devices. Runs once a night on one worker; what fails is done the next night. */
export function createRetention({ db, clock, log }: Dependencies): Retention {
  async function ensurePartitions(): Promise<void> {
    await sql`select ensure_partitions()`.execute(db);
    await sql`select ensure_message_days()`.execute(db);
  }

  /** Only operations that ended more than a day ago, so that late queued readings are included. */
  async function keepCurves(): Promise<number> {
    const before = new Date(clock.now().getTime() - dayMs);
    const from = new Date(clock.now().getTime() - curvesLookBackMs);
    let kept = 0;
    let last = 0;
    for (;;) {
      const { rows } = await sql<{ id: number }>`
        select o.id from operations o
        where o.id > ${last} and o.closed_at >= ${from} and o.closed_at < ${before}
          and exists (select from ocpp_transactions t where t.operation_id = o.id)
          and not exists (select from ocpp_transactions t where t.operation_id = o.id and t.stopped_at is null)
          and not exists (select from operation_curves c where c.operation_id = o.id)
        order by o.id limit ${curvesInBatch}`.execute(db);
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return kept;
      await sql`select keep_operation_curves(${ids}::bigint[])`.execute(db);
      kept += ids.length;
      last = ids.at(-1) ?? last;
    }
  }

  async function dropOnePartition(): Promise<string | null> {
    return db.transaction().execute(async (transaction) => {
      // Writing the curves of a month of readings takes longer than the usual statement timeout.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(transaction);
      const { rows } = await sql<{ name: string | null }>`select drop_expired_partition() as name`.execute(transaction);
      return rows[0]?.name ?? null;
    });
  }

  async function dropOneMessageDay(): Promise<string | null> {
    return db.transaction().execute(async (transaction) => {
      await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(transaction);
      const { rows } = await sql<{ name: string | null }>`
        select drop_expired_message_day() as name`.execute(transaction);
      return rows[0]?.name ?? null;
    });
  }

  async function removeRefusedConnections(): Promise<void> {
    const before = new Date(clock.now().getTime() - refusedKeptMs);
    await inBatches(async () => {
      const done = await sql`
        delete from refused_connections where id in (select id from refused_connections
          where last_at < ${before} limit ${batchSize})`.execute(db);
      return done.numAffectedRows;
    });
  }

  async function inBatches(remove: () => Promise<bigint | undefined>): Promise<void> {
    while (((await remove()) ?? 0n) >= batchSize);
  }

  async function removeCommands(): Promise<void> {
    const before = new Date(clock.now().getTime() - commandsKeptMs);
    // A command that is still waited for is due; it is deleted after its outcome is known.
    await inBatches(async () => {
      const done = await sql`
        delete from commands where id in (select id from commands
          where created_at < ${before} and next_action_at is null and status not in ('queued', 'sent')
          limit ${batchSize})`.execute(db);
      return done.numAffectedRows;
    });
  }

  async function removeAnomalies(): Promise<void> {
    const before = new Date(clock.now().getTime() - anomaliesKeptMs);
    await inBatches(async () => {
      const done = await sql`
        delete from charge_point_anomalies where id in (select id from charge_point_anomalies
          where last_at < ${before} limit ${batchSize})`.execute(db);
      return done.numAffectedRows;
    });
  }

  return {
    ensurePartitions,

    async nightly(): Promise<void> {
      await ensurePartitions();
      const curves = await keepCurves();
      const dropped: string[] = [];
      for (let name = await dropOnePartition(); name !== null; name = await dropOnePartition()) dropped.push(name);
      for (let name = await dropOneMessageDay(); name !== null; name = await dropOneMessageDay()) dropped.push(name);
      await removeCommands();
      await removeAnomalies();
      await removeRefusedConnections();
      log.info({ curves, dropped }, 'retention done');
    },
  };
}
