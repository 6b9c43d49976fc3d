import type { OverallStats } from '@fpay/contract/admin/stats';
import { kopecks } from '@fpay/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import type { PeriodRange } from '../../platform/period-range.ts';
import { network } from '../../wallet/transfer.ts';

export interface StatsScope extends PeriodRange {
  /** Null: all stations. */
  station: number | null;
  withTemporary: boolean;
}

/**
 * Rows of figures per hour, station and kind of user for a range. Whole hours that have not changed since they were counted
 * come from `stats_hours`; the others, the two ends that are cut within an hour, and operations that are still open are
 * counted from the operations. All of it is one statement, so it is of one moment.
 */
export function figuresIn({ from, to, station, withTemporary }: StatsScope, byStation = false): RawBuilder<unknown> {
  const firstHour = new Date(Math.ceil(from.getTime() / hourMs) * hourMs);
  const lastHour = new Date(Math.max(firstHour.getTime(), Math.floor(to.getTime() / hourMs) * hourMs));
  const end = firstHour > to ? to : firstHour;
  const of = station === null ? sql`true` : sql`f.station_id = ${station}`;
  const stored =
    station !== null ? sql`h.station_id = ${station}` : byStation ? sql`h.station_id <> 0` : sql`h.station_id = 0`;
  const people = withTemporary ? sql`true` : sql`not is_temporary`;
  const beginning = sql`select * from count_operations(${from}, ${end}, false) f where ${of}`;
  const ending =
    firstHour > to ? sql`` : sql`union all select * from count_operations(${lastHour}, ${to}, false) f where ${of}`;
  return sql`(
    select * from (
      select h.* from stats_hours h where ${stored} and h.hour >= ${firstHour} and h.hour < ${lastHour}
        and not exists (select from stats_changes c where c.hour = h.hour)
      union all
      select f.* from (select distinct hour from stats_changes where hour >= ${firstHour} and hour < ${lastHour}) c
        cross join lateral count_operations(c.hour, c.hour + interval '1 hour', false) f where ${of}
      union all ${beginning} ${ending}
      union all select * from count_operations(${from}, ${to}, true) f where ${of}
    ) parts where ${people})`;
}

const hourMs = 3_600_000;

interface Sums {
  operations: number;
  energy_wh: number;
  total: number;
  total_balance: number;
  over_limit: number;
  overcharge: number;
  lost: number;
  idle_total: number;
  refunded: number;
  rewards: number;
  successful: number;
  failed: number;
  canceled: number;
  failed_hold: number;
  ongoing: number;
  ongoing_total: number;
  created: number;
  free: number;
  promo: number;
  deposit: number;
  paid_operations: number;
  progress: number;
  progress_operations: number;
  ratings: number;
  rating_sum: number;
  first_at: Date | null;
  last_at: Date | null;
}

const summed = [
  'operations',
  'energy_wh',
  'total',
  'total_balance',
  'over_limit',
  'overcharge',
  'lost',
  'idle_total',
  'refunded',
  'rewards',
  'successful',
  'failed',
  'canceled',
  'failed_hold',
  'ongoing',
  'ongoing_total',
  'created',
  'free',
  'promo',
  'deposit',
  'paid_operations',
  'progress',
  'progress_operations',
  'ratings',
  'rating_sum',
] as const satisfies (keyof Sums)[];

const ratio = (sum: number, count: number, decimals = 2) =>
  count === 0 ? null : Math.round((sum / count) * 10 ** decimals) / 10 ** decimals;

interface Parts {
  total: number;
  lost: number;
  refunded: number;
  rewards: number;
}

/** Revenue as it stays. It can be below zero for a day whose charges gave back more than they brought in. */
export const netOf = ({ total, lost, refunded, rewards }: Parts) => total - lost - refunded - rewards;

/** Over all balances: what the account of staff in the ledger has given, less what came back to it. */
async function givenByStaff(db: Database, { from, to, station, withTemporary }: StatsScope): Promise<number | null> {
  if (station !== null) return null;
  const people = withTemporary ? sql`true` : sql`u.is_temporary is not true`;
  const { rows } = await sql<{ given: number }>`
    select coalesce(sum(case when t.from_account = ${network.staff} then t.amount else -t.amount end), 0)::float8 as given
    from transfers t
      left join wallets w on w.id = case when t.from_account = ${network.staff} then t.to_account else t.from_account end
      left join users u on u.id = w.owner_id
    where (t.from_account = ${sql.lit(network.staff)} or t.to_account = ${sql.lit(network.staff)})
      and t.created_at >= ${from} and t.created_at < ${to} and ${people}`.execute(db);
  return rows[0]?.given ?? 0;
}

/** The figures of a range, as pages show them. */
export async function overallStats(db: Database, scope: StatsScope): Promise<OverallStats> {
  const sums = sql.join(summed.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::float8 as ${sql.ref(name)}`));
  const given = await givenByStaff(db, scope);
  const { rows } = await sql<Sums>`
    select ${sums}, min(first_at) as first_at, max(last_at) as last_at from ${figuresIn(scope)} f`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a sum without a row');
  const named = row.successful + row.ongoing + row.failed + row.canceled + row.failed_hold + row.created;
  return {
    from: scope.from.toISOString(),
    to: scope.to.toISOString(),
    kwh: row.energy_wh / 1000,
    uah: {
      total: kopecks(row.total),
      balance: kopecks(row.total_balance),
      balance_percentage: ratio(row.total_balance * 100, row.total),
      over_limit: kopecks(row.over_limit),
      overcharge: kopecks(row.overcharge),
      ongoing: kopecks(row.ongoing_total),
      lost: kopecks(row.lost),
      idle: kopecks(row.idle_total),
      refunded: kopecks(row.refunded),
      rewards: kopecks(row.rewards),
      net: netOf(row),
      given,
    },
    count: {
      total: row.operations,
      successful: row.successful,
      ongoing: row.ongoing,
      failed: row.failed,
      canceled: row.canceled,
      failed_hold: row.failed_hold,
      created: row.created,
      other: row.operations - named,
      free: row.free,
      promo: row.promo,
    },
    firstOperation: row.first_at?.toISOString() ?? null,
    lastOperation: row.last_at?.toISOString() ?? null,
    avg: {
      kwh: ratio(row.energy_wh / 1000, row.successful, 3),
      uah: ratio(row.total, row.successful),
      hold_amount: ratio(row.deposit, row.paid_operations),
      progress: ratio(row.progress / 10_000, row.progress_operations),
    },
    feedback: { avg: ratio(row.rating_sum, row.ratings), count: row.ratings },
  };
}
