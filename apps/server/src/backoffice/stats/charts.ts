import type { StatsCharts } from '@fpay/contract/admin/stats';
import { kopecks, wattHours } from '@fpay/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { datesOf, rangeBefore } from '../../platform/period-range.ts';
import { figuresIn, overallStats, type StatsScope } from './figures.ts';
import { stationFiguresIn } from './station-days.ts';

interface Bucket {
  energy: number;
  total: number;
  count: number;
  successful: number;
}

const mostStations = 10;
const empty: Bucket = { energy: 0, total: 0, count: 0, successful: 0 };

/** Series for charts. An hour belongs to the day on which it begins in the zone. */
export function createStatsCharts(db: Database) {
  async function buckets<Key>(scope: StatsScope, key: RawBuilder<unknown>) {
    const { rows } = await sql<Bucket & { key: Key }>`
      select ${key} as key, sum(energy_wh)::float8 as energy, sum(total)::float8 as total, sum(operations)::float8 as count,
        sum(successful)::float8 as successful
      from ${figuresIn(scope)} f group by 1`.execute(db);
    return rows;
  }

  async function days(scope: StatsScope, zone: string): Promise<StatsCharts['days']> {
    const found = await buckets<string>(scope, sql`to_char(hour at time zone ${zone}, 'YYYY-MM-DD')`);
    const byDay = new Map(found.map((row) => [row.key, row]));
    return datesOf(scope, zone).map((day) => ({ day, ...branded(byDay.get(day) ?? empty) }));
  }

  async function hours(scope: StatsScope, zone: string): Promise<StatsCharts['hours']> {
    const found = await buckets<number>(scope, sql`extract(hour from hour at time zone ${zone})::int`);
    const byHour = new Map(found.map((row) => [row.key, row]));
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
    days,
    async all(scope: StatsScope, zone: string): Promise<StatsCharts> {
      return {
        before: await overallStats(db, { ...scope, ...rangeBefore(scope) }),
        days: await days(scope, zone),
        hours: await hours(scope, zone),
        stations: await stations(scope),
      };
    },
  };
}

export type StatsChartSeries = ReturnType<typeof createStatsCharts>;

function branded({ energy, total, count, successful }: Bucket) {
  return { energy: wattHours(energy), total: kopecks(total), count, successful };
}
