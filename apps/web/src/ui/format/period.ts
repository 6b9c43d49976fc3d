import type { HistoryRange } from '@fpay/contract/history';

export type PeriodUnit = 'week' | 'month' | 'year';

/** The present and the last one of each. */
const ranges = {
  week: ['week', 'lastWeek'],
  month: ['month', 'lastMonth'],
  year: ['year', 'lastYear'],
} as const satisfies Record<PeriodUnit, readonly [HistoryRange, HistoryRange]>;

export const periodUnits = ['week', 'month', 'year'] as const satisfies readonly PeriodUnit[];

export function periodRangeOf(unit: PeriodUnit, isLast: boolean): HistoryRange {
  return ranges[unit][isLast ? 1 : 0];
}

export function unitOf(range: HistoryRange): PeriodUnit {
  return periodUnits.find((unit) => ranges[unit].some((one) => one === range)) ?? 'week';
}

export function isLast(range: HistoryRange): boolean {
  return range === periodRangeOf(unitOf(range), true);
}

/** `2026-11-15`, the date in Kyiv regardless of the phone's time zone. */
export function kyivDay(instant: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Kyiv' }).format(instant);
}

/** The first and the last day of a range; weeks begin on Monday. */
export function daysOf(range: HistoryRange, now: Date): { first: string; last: string } {
  const [year = 0, month = 0, date = 0] = kyivDay(now).split('-').map(Number);
  const past = isLast(range) ? 1 : 0;
  // Calendar arithmetic in UTC, which has no daylight saving time.
  const day = (...parts: [year: number, monthIndex: number, date: number]) =>
    new Date(Date.UTC(...parts)).toISOString().slice(0, 10);
  const unit = unitOf(range);
  if (unit === 'year') return { first: day(year - past, 0, 1), last: day(year - past, 11, 31) };
  if (unit === 'month') return { first: day(year, month - 1 - past, 1), last: day(year, month - past, 0) };
  const sinceMonday = (new Date(Date.UTC(year, month - 1, date)).getUTCDay() + 6) % 7;
  const monday = date - sinceMonday - 7 * past;
  return { first: day(year, month - 1, monday), last: day(year, month - 1, monday + 6) };
}
