import type { StatsQuery } from '@fpay/contract/admin/stats';
import type { Period } from '@fpay/contract/period';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { kyivZone } from '../../platform/kyiv-time.ts';
import { type PeriodRange, rangeOfPeriod } from '../../platform/period-range.ts';
import { Refusal } from '../../platform/refusal.ts';
import { stationIdOf } from '../station-id.ts';
import { createStatsCharts } from './charts.ts';
import { overallStats, type StatsScope } from './figures.ts';

interface AskedRange {
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
  tz?: string | undefined;
}

/** Stats as staff ask for them: a period by name or two instants, one station or all. */
export function createStatsService(db: Database, clock: Clock) {
  const charts = createStatsCharts(db);

  /** Two instants win over a name; an end in the future is cut at now. */
  function rangeFor({ period, from, to, tz = kyivZone }: AskedRange): PeriodRange {
    if (from !== undefined && to !== undefined) {
      const end = Math.min(Date.parse(to), clock.now().getTime());
      return { from: new Date(Math.min(Date.parse(from), end)), to: new Date(end) };
    }
    return rangeOfPeriod(period ?? 'today', clock.now(), tz);
  }

  async function scopeOf(query: StatsQuery): Promise<StatsScope> {
    const station = query.station === undefined ? null : await stationIdOf(db, query.station);
    if (query.station !== undefined && station === null) throw new Refusal('station_not_found');
    return { ...rangeFor(query), station, withTemporary: query.with_temp ?? true };
  }

  return {
    rangeFor,
    overall: async (query: StatsQuery) => overallStats(db, await scopeOf(query)),
    charts: async (query: StatsQuery) => charts.all(await scopeOf(query), query.tz ?? kyivZone),
    days: async (query: StatsQuery) => charts.days(await scopeOf(query), query.tz ?? kyivZone),
  };
}

export type StatsService = ReturnType<typeof createStatsService>;
