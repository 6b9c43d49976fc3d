import type { StatsCharts } from '@fpay/contract/admin/stats';
import { kopecks, wattHours } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { datesOf, rangeBefore } from '../../platform/period-range.ts';
import { figuresIn, netOf, overallStats, type StatsScope } from './figures.ts';
import { stationFiguresIn } from './station-days.ts';

interface Bucket {
  energy: number;
  total: number;
  count: number;
  successful: number;
}

/** What is missing from the total of a day. */
interface DayBucket extends Bucket {
  lost: number;
  refunded: number;
  rewards: number;
  idle: number;
}

const mostStations = 10;
const empty: Bucket = { energy: 0, total: 0, count: 0, successful: 0 };
const emptyDay: DayBucket = { ...empty, lost: 0, refunded: 0, rewards: 0, idle: 0 };

/** Series for charts. An hour belongs to the day on which it begins in the zone. */
export function createStatsCharts(db: Database) {
  /** Days and hours of the day from one read of the hours: a row has one of the two. */
  async function buckets(scope: StatsScope, zone: string) {
    const { rows } = await sql<DayBucket & { day: string | null; hour: number | null }>`
      select day::text as day, hour, sum(energy_wh)::float8 as energy, sum(total)::float8 as total,
        sum(operations)::float8 as count, sum(successful)::float8 as successful, sum(lost)::float8 as lost,
        sum(refunded)::float8 as refunded, sum(rewards)::float8 as rewards, sum(idle_total)::float8 as idle
      from (
        select (f.hour at time zone ${zone})::date as day, extract(hour from f.hour at time zone ${zone})::int as hour, energy_wh,
          total, operations, successful, lost, refunded, rewards, idle_total
        from ${figuresIn(scope)} f) cut
      group by grouping sets ((day), (hour))`.execute(db);
    return rows;
  }

  type Buckets = Awaited<ReturnType<typeof buckets>>;

  function days(found: Buckets, scope: StatsScope, zone: string): StatsCharts['days'] {
    const byDay = new Map(found.map((row) => [row.day, row]));
    return datesOf(scope, zone).map((day) => ({ day, ...dayOf(byDay.get(day) ?? emptyDay) }));
  }

  function hours(found: Buckets): StatsCharts['hours'] {
    const byHour = new Map(found.map((row) => [row.hour, row]));
    return Array.from({ length: 24 }, (_, hour) => ({ hour, ...branded(byHour.get(hour) ?? empty) }));
  }

  async function stationSums(scope: StatsScope) {
    const { rows } = await sql<Bucket & { key: number }>`
      select station_id as key, sum(energy_wh)::float8 as energy, sum(total)::float8 as total,
        sum(operations)::float8 as count, sum(successful)::float8 as successful
      from ${stationFiguresIn(scope)} f group by 1`.execute(db);
    return rows;
  }

  async function stations(scope: StatsScope): Promise<StatsCharts['stations']> {
    if (scope.station !== null) return [];
    const found = (await stationSums(scope))
      .toSorted((one, other) => other.energy - one.energy || one.key - other.key)
      .slice(0, mostStations);
    const ids = found.map(({ key }) => key);
    if (ids.length === 0) return [];
    const named = await db.selectFrom('stations').select(['id', 'number']).where('id', 'in', ids).execute();
    const numbers = new Map(named.map(({ id, number }) => [id, number]));
    return found.map((row) => ({ station: numbers.get(row.key) ?? '', ...branded(row) }));
  }

  return {
    days: async (scope: StatsScope, zone: string) => days(await buckets(scope, zone), scope, zone),
    /** The three reads do not need each other, so they run at once. */
    async all(scope: StatsScope, zone: string): Promise<StatsCharts> {
      const [before, found, best] = await Promise.all([
        overallStats(db, { ...scope, ...rangeBefore(scope) }),
        buckets(scope, zone),
        stations(scope),
      ]);
      return { before, days: days(found, scope, zone), hours: hours(found), stations: best };
    },
  };
}

export type StatsChartSeries = ReturnType<typeof createStatsCharts>;

function branded({ energy, total, count, successful }: Bucket) {
  return { energy: wattHours(energy), total: kopecks(total), count, successful };
}

function dayOf(row: DayBucket) {
  const { lost, refunded, rewards, idle } = row;
  return {
    ...branded(row),
    lost: kopecks(lost),
    refunded: kopecks(refunded),
    rewards: kopecks(rewards),
    idle: kopecks(idle),
    net: netOf(row),
  };
}
