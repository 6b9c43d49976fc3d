import type { AttemptCounts, NetworkOverview } from '@fpay/contract/admin/network/overview';

type Days = NetworkOverview['days'];
/** A part and its whole. */
type Share = readonly [part: keyof AttemptCounts, whole: keyof AttemptCounts];

export const firstAttempt: Share = ['first', 'tries'];
export const chargingSuccess: Share = ['right', 'attempts'];

/** Of all days together; null when there was nothing. */
export function rateOf(days: Days, [part, whole]: Share): number | null {
  const sum = (name: keyof AttemptCounts) => days.reduce((total, day) => total + day[name], 0);
  return sum(whole) === 0 ? null : sum(part) / sum(whole);
}

/** The rate of each day; a day without attempts has none. */
export function dailyRates(days: Days, share: Share): (number | null)[] {
  return days.map((day) => rateOf([day], share));
}
