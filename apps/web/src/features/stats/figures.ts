import type { HistoryRange, UserStats } from '@fpay/contract/history';
import { type Kopecks, kopecks, type WattHours, wattHours } from '@fpay/contract/money';
import { type PeriodUnit, unitOf } from '../../ui/format/period.ts';

const barsOf = {
  week: () => 7,
  month: ({ length }: UserStats) => length ?? 31,
  year: () => 12,
} as const satisfies Record<PeriodUnit, (stats: UserStats) => number>;

/** Watt-hours per weekday, day or month, from the first to the last of the range. */
export function energyBars(stats: UserStats, range: HistoryRange): number[] {
  const bars: number[] = Array.from({ length: barsOf[unitOf(range)](stats) }, () => 0);
  for (const { timestamp, energy } of stats.transactions) {
    if (timestamp >= 1 && timestamp <= bars.length) bars[timestamp - 1] = (bars[timestamp - 1] ?? 0) + energy;
  }
  return bars;
}

/** The driver's charges with one car, or with all cars. */
export function withCar(stats: UserStats, car: number | null): UserStats {
  if (car === null) return stats;
  return { ...stats, transactions: stats.transactions.filter((charge) => charge.car === car) };
}

export function energyOf({ transactions }: Pick<UserStats, 'transactions'>): WattHours {
  return wattHours(transactions.reduce((sum, { energy }) => sum + energy, 0));
}

/** The paid amount; a debt is not included. */
export function spentOf({ transactions }: UserStats): Kopecks {
  return kopecks(transactions.reduce((sum, { total, isPaid }) => sum + (isPaid ? total : 0), 0));
}

/** Above this percentage the previous value was close to zero, so the number is meaningless. */
const mostTelling = 999;

/**
 * Whole percent compared with the last range up to the same day or month, so that a week that has just begun does not
 * look bad. Null without a comparison.
 */
export function trendOf(present: UserStats, last: UserStats): number | null {
  const before = energyOf({ transactions: last.transactions.filter(({ timestamp }) => timestamp <= present.now) });
  if (present.now === 0 || before === 0) return null;
  const percent = Math.round(((energyOf(present) - before) / before) * 100);
  return percent > mostTelling ? null : percent;
}
