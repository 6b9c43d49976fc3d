import type { Period } from '@fpay/contract/period';
import { firstOfMonth, type PeriodRange, rangeOfPeriod } from '../platform/period-range.ts';
import { dateIn, dayStartIn, shiftedDate } from '../platform/zone-time.ts';

export interface AskedPeriod {
  manual_range?: 'true' | 'false' | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  period?: Period | undefined;
  tz: string;
}

/** The instants that a period or a manual range covers. */
export function partyPeriodOf(asked: AskedPeriod, now: Date): PeriodRange {
  const { manual_range, start_date = '', end_date = '', period = '24h', tz } = asked;
  if (manual_range === 'true') return { from: new Date(start_date), to: new Date(end_date) };
  return rangeOfPeriod(period, now, tz);
}

/** The next instant at which this day of a month begins, after now. */
export function nextMonthlyDay(day: number, zone: string, now: Date): Date {
  const first = firstOfMonth(dateIn(zone, now));
  const inMonth = (months: number) => dayStartIn(zone, shiftedDate(first, { months, days: day - 1 }));
  const thisMonth = inMonth(0);
  return thisMonth > now ? thisMonth : inMonth(1);
}
