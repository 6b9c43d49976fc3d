import type { Period } from '@fpay/contract/period';
import { dateIn, dayStartIn, shiftedDate } from './zone-time.ts';

/** `to` is not included. */
export interface PeriodRange {
  from: Date;
  to: Date;
}

const hourMs = 3_600_000;

/** The first day, and the first one after the last. Weeks begin on Monday. */
const daysOf = {
  today: (today) => [today, shiftedDate(today, { days: 1 })],
  yesterday: (today) => [shiftedDate(today, { days: -1 }), today],
  week: (today) => [mondayOf(today), shiftedDate(mondayOf(today), { days: 7 })],
  lastWeek: (today) => [shiftedDate(mondayOf(today), { days: -7 }), mondayOf(today)],
  month: (today) => [firstOfMonth(today), shiftedDate(firstOfMonth(today), { months: 1 })],
  lastMonth: (today) => [shiftedDate(firstOfMonth(today), { months: -1 }), firstOfMonth(today)],
  year: (today) => [firstOfYear(today), shiftedDate(firstOfYear(today), { years: 1 })],
  lastYear: (today) => [shiftedDate(firstOfYear(today), { years: -1 }), firstOfYear(today)],
} as const satisfies Partial<Record<Period, (today: string) => [first: string, next: string]>>;

const hoursOf = { '24h': 24, '7d': 7 * 24, '14d': 14 * 24 } as const satisfies Partial<Record<Period, number>>;

/** The instants that a period covers; the time zone decides where its days begin. */
export function rangeOfPeriod(period: Period, now: Date, zone: string): PeriodRange {
  if (period === '24h' || period === '7d' || period === '14d') {
    return { from: new Date(now.getTime() - hoursOf[period] * hourMs), to: now };
  }
  const [first, next] = daysOf[period](dateIn(zone, now));
  return { from: dayStartIn(zone, first), to: dayStartIn(zone, next) };
}

/** The dates of a range in a time zone, oldest first. */
export function datesOf({ from, to }: PeriodRange, zone: string): string[] {
  const last = dateIn(zone, new Date(to.getTime() - 1));
  const dates: string[] = [];
  for (let date = dateIn(zone, from); date <= last; date = shiftedDate(date, { days: 1 })) dates.push(date);
  return dates;
}

/** The range of the same length right before this one. */
export function rangeBefore({ from, to }: PeriodRange): PeriodRange {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from };
}

export const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`;
const firstOfYear = (day: string) => `${day.slice(0, 4)}-01-01`;

function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return shiftedDate(day, { days: -((weekday + 6) % 7) });
}
