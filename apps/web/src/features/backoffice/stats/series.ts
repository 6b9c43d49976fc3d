import type { StatsCharts } from '@fpay/contract/admin/stats';

type Day = StatsCharts['days'][number];

/** What a bar stands for: a day, or a month when the days would be too narrow. */
export interface StatsBar extends Omit<Day, 'day'> {
  /** `2026-11-15`, or `2026-11` for a month. */
  of: string;
}

const mostDays = 62;

/** The days of a range, or its months when there are many days. */
export function barsOf(days: readonly Day[]): StatsBar[] {
  if (days.length <= mostDays) return days.map(({ day, ...sums }) => ({ of: day, ...sums }));
  const months = new Map<string, StatsBar>();
  for (const { day, ...sums } of days) {
    const of = day.slice(0, 'yyyy-mm'.length);
    const known = months.get(of);
    months.set(of, known ? added(known, sums) : { of, ...sums });
  }
  return [...months.values()];
}

function added(bar: StatsBar, { energy, total, count, successful }: Omit<Day, 'day'>): StatsBar {
  return {
    ...bar,
    energy: (bar.energy + energy) as StatsBar['energy'],
    total: (bar.total + total) as StatsBar['total'],
    count: bar.count + count,
    successful: bar.successful + successful,
  };
}

/** In per cent; null without operations. */
export function successOf({ count, successful }: Pick<StatsBar, 'count' | 'successful'>): number | null {
  return count === 0 ? null : (successful / count) * 100;
}
