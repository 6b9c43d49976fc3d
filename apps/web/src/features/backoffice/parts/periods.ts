import type { Period } from '@fpay/contract/period';
import type { TextKey } from '../../../i18n/text-key.ts';
import { momentNow, readMoment } from './calendar.ts';
import { instantOfKyiv } from './kyiv-time.ts';

/** The eight periods of the specification. */
export const staffPeriods = [
  'today',
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
  'year',
  'lastYear',
] as const satisfies Period[];
export type StaffPeriod = (typeof staffPeriods)[number];

/** A period by name, or Kyiv times as they are typed. */
export interface PeriodChoice {
  period: StaffPeriod | 'manual';
  from: string;
  to: string;
}

/** A range of one's own begins as today until now. */
export function todayRange(): Pick<PeriodChoice, 'from' | 'to'> {
  const to = momentNow();
  return { from: `${to.slice(0, 10)}T00:00`, to };
}

/** What is wrong with a range of one's own; null when it can be asked for. */
export function rangeFault({ period, from, to }: PeriodChoice): TextKey | null {
  if (period !== 'manual') return null;
  if (readMoment(from) === null || readMoment(to) === null) return 'admin:bothDates';
  if (to < from) return 'admin:endBeforeStart';
  return from > momentNow() ? 'admin:afterNow' : null;
}

/** The two instants of a range of one's own, in the form of a request. */
export function instantsOf({ from, to }: PeriodChoice): { from: string; to: string } {
  return { from: instantOfKyiv(from) ?? '', to: instantOfKyiv(to) ?? '' };
}
