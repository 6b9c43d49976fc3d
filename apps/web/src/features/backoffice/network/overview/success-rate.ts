import type { NetworkOverview } from '@fpay/contract/admin/network/overview';

type Days = NetworkOverview['days'];

/** Of all attempts; null when there were none. */
export function rateOf(days: Days): number | null {
  const attempts = days.reduce((sum, day) => sum + day.attempts, 0);
  return attempts === 0 ? null : days.reduce((sum, day) => sum + day.first_time, 0) / attempts;
}

/** The rate of each day; a day without attempts has none. */
export function dailyRates(days: Days): (number | null)[] {
  return days.map(({ attempts, first_time }) => (attempts === 0 ? null : first_time / attempts));
}
