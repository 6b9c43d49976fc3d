import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { dropExpiredMessageDays, dropExpiredMonths, ensurePartitions } from '../../platform/rows/partitions.ts';

const dayMs = 24 * 3_600_000;
const refusedKeptDays = 30;
/** Large enough to be fast, small enough that no statement locks many rows for long. */
const batchSize = 5_000;
const curvesInBatch = 200;
/** Every night looks back this far, not over all operations; dropping a partition writes the curves that are missing. */
const curvesLookBackDays = 31;
/** How long reports of devices are kept. */
export interface ReportRetention {
  readingsMonths: number;
  noticesDays: number;
  messagesDays: number;
  anomaliesDays: number;
  commandsDays: number;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
  periods: ReportRetention;
}

/** Removes what devices reported long ago. */
export interface Retention {
  /** Makes the partitions of the next months. */
  ensurePartitions(): Promise<void>;
  /** Once a night, on one worker. */
  nightly(): Promise<void>;
}

/** Deletes old reports of devices. Runs once a night on one worker; what fails is done the next night. */
export function createRetention({ db, clock, log, periods }: Dependencies): Retention {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);

  /** Only operations that ended more than a day ago, so that late queued readings are included. */
  async function keepCurves(): Promise<number> {
    const before = daysAgo(1);
    const from = daysAgo(curvesLookBackDays);
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

  async function removeRefusedConnections(): Promise<void> {
    const before = daysAgo(refusedKeptDays);
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
    const before = daysAgo(periods.commandsDays);
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
    const before = daysAgo(periods.anomaliesDays);
    await inBatches(async () => {
      const done = await sql`
        delete from charge_point_anomalies where id in (select id from charge_point_anomalies
          where last_at < ${before} limit ${batchSize})`.execute(db);
      return done.numAffectedRows;
    });
  }

  return {
    ensurePartitions: () => ensurePartitions(db),

    async nightly(): Promise<void> {
      await ensurePartitions(db);
      const curves = await keepCurves();
      const dropped = [
        ...(await dropExpiredMonths(db, 'meter_samples', { months: periods.readingsMonths })),
        ...(await dropExpiredMonths(db, 'charge_point_notices', { days: periods.noticesDays })),
        ...(await dropExpiredMessageDays(db, { days: periods.messagesDays })),
      ];
      await removeCommands();
      await removeAnomalies();
      await removeRefusedConnections();
      log.info({ curves, dropped }, 'retention done');
    },
  };
}
