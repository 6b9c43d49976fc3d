import type { HistoryRange } from '@fpay/contract/history';
import { kyivDate, kyivDayStart } from '../platform/kyiv-time.ts';

/** A range of Kyiv days, and how its chart counts them. */
export interface Range {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** The present weekday, day or month, from 1; 0 when the range is in the past. */
  now: number;
  /** Days of the month; null for weeks and years, which always have 7 and 12 bars. */
  length: number | null;
  /** Weekday from Monday, day of the month, or month, from 1. */
  indexOf(instant: Date): number;
}

type Unit = 'week' | 'month' | 'year';

const units = {
  week: ['week', 0],
  month: ['month', 0],
  year: ['year', 0],
  lastWeek: ['week', -1],
  lastMonth: ['month', -1],
  lastYear: ['year', -1],
} as const satisfies Record<HistoryRange, readonly [Unit, 0 | -1]>;

export function statsRangeOf(name: HistoryRange, now: Date): Range {
  const [unit, shift] = units[name];
  const first = shifted(unit, firstDay(unit, dayOf(now)), shift);
  const next = shifted(unit, first, 1);
  return {
    from: startOf(first),
    to: startOf(next),
    now: shift === 0 ? indexIn[unit](dayOf(now)) : 0,
    length: unit === 'month' ? new Date(next.getTime() - 1).getUTCDate() : null,
    indexOf: (instant) => indexIn[unit](dayOf(instant)),
  };
}

/** A Kyiv day as midnight UTC of the same date, so that clock changes do not affect calendar arithmetic. */
function dayOf(instant: Date): Date {
  return new Date(`${kyivDate(instant)}T00:00:00Z`);
}

/** The instant at which a Kyiv day begins; noon UTC is on the same date in Kyiv all year. */
function startOf(day: Date): Date {
  return kyivDayStart(new Date(day.getTime() + 12 * 3_600_000));
}

const indexIn = {
  week: (day: Date) => day.getUTCDay() || 7,
  month: (day: Date) => day.getUTCDate(),
  year: (day: Date) => day.getUTCMonth() + 1,
} as const satisfies Record<Unit, (day: Date) => number>;

function firstDay(unit: Unit, day: Date): Date {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  if (unit === 'week') return new Date(Date.UTC(year, month, date - indexIn.week(day) + 1));
  return new Date(Date.UTC(year, unit === 'month' ? month : 0, 1));
}

function shifted(unit: Unit, first: Date, by: number): Date {
  const [year, month, date] = [first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate()];
  if (unit === 'week') return new Date(Date.UTC(year, month, date + 7 * by));
  return unit === 'month' ? new Date(Date.UTC(year, month + by, 1)) : new Date(Date.UTC(year + by, 0, 1));
}
