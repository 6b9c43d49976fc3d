import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

const dayMs = 24 * 3_600_000;
/** Readings (13 months) and notices (90 days) go with their partitions: see `drop_expired_partition()` in the database. */
const commandsKeptMs = 30 * dayMs;
const anomaliesKeptMs = 90 * dayMs;
/** Large enough to be quick, small enough that no statement holds many rows for long. */
const batchSize = 5_000;
const curvesInBatch = 200;
/** The night's drop waits this long for its lock, and everybody else behind it. The next night tries again. */
const lockPatience = '5s';

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** What devices reported is kept for a while. Runs once a night on one worker; what fails is done the next night. */
export function createRetention({ db, clock, log }: Dependencies) {
  async function ensurePartitions(): Promise<void> {
    await sql`select ensure_partitions()`.execute(db);
  }

  /** Of operations that ended more than a day ago: a late reading of a queue is then in it. */
  async function keepCurves(): Promise<number> {
    let kept = 0;
    let last = 0;
    for (;;) {
      const { rows } = await sql<{ id: number }>`
        select o.id from operations o
        where o.id > ${last} and o.closed_at < ${new Date(clock.now().getTime() - dayMs)}
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
      // A month of readings without curves takes longer to write down than an ordinary statement may.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`select set_config('lock_timeout', ${lockPatience}, true)`.execute(transaction);
      const { rows } = await sql<{ name: string | null }>`select drop_expired_partition() as name`.execute(transaction);
      return rows[0]?.name ?? null;
    });
  }

  async function inBatches(remove: () => Promise<bigint | undefined>): Promise<void> {
    while (((await remove()) ?? 0n) >= batchSize);
  }

  async function removeCommands(): Promise<void> {
    const before = new Date(clock.now().getTime() - commandsKeptMs);
    // One that is still waited for has something due; it goes when its outcome is known.
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
      await removeCommands();
      await removeAnomalies();
      log.info({ curves, dropped }, 'retention done');
    },
  };
}
