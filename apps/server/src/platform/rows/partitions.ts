import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Tables with a partition for each month; the database has the same list in `partitioned_tables()`. */
export type MonthlyTable = 'meter_samples' | 'charge_point_notices' | 'bank_exchanges';
export type KeptFor = { months: number } | { days: number };

/**
 * A drop waits at most this long for its lock, because other statements queue behind it. The next night tries again.
 */
const lockTimeout = '5s';

/** Creates the partitions of the next months and days. It changes nothing when they exist. */
export async function ensurePartitions(db: Database): Promise<void> {
  await sql`select ensure_partitions()`.execute(db);
  await sql`select ensure_message_days()`.execute(db);
}

/** Drops every partition of a table that is past its period, one in each transaction. Returns their names. */
export function dropExpiredMonths(db: Database, table: MonthlyTable, kept: KeptFor): Promise<string[]> {
  return dropEach(db, sql`select drop_expired_partition(${table}, ${intervalOf(kept)}::interval) as name`);
}

export function dropExpiredMessageDays(db: Database, kept: KeptFor): Promise<string[]> {
  return dropEach(db, sql`select drop_expired_message_day(${intervalOf(kept)}::interval) as name`);
}

async function dropEach(db: Database, dropOldest: ReturnType<typeof sql>): Promise<string[]> {
  const dropped: string[] = [];
  for (;;) {
    const name = await db.transaction().execute(async (transaction) => {
      // Writing the curves of a month of readings takes longer than the usual statement timeout.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(transaction);
      const { rows } = await dropOldest.execute(transaction);
      return (rows[0] as { name: string | null } | undefined)?.name ?? null;
    });
    if (name === null) return dropped;
    dropped.push(name);
  }
}

const intervalOf = (kept: KeptFor) => ('months' in kept ? `${kept.months} months` : `${kept.days} days`);
