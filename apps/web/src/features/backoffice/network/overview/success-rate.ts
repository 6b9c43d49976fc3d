import type { NetworkOverview } from '@fpay/contract/admin/network/overview';

type Days = NetworkOverview['days'];

/** Of all attempts; null when there were none. */
export function rateOf(days: Days): number | null {
  const attempts = days.reduce((sum, day) => sum + day.attempts, 0);
  return attempts === 0 ? null : days.reduce((sum, day) => sum + day.first_time, 0) / attempts;
}

/** The rate of each day in a field of 280 by 80; a day without attempts interrupts the line. */
export function ratePath(days: Days): string {
  const step = 280 / Math.max(1, days.length - 1);
  let isDrawing = false;
  return days
    .map(({ attempts, first_time }, index) => {
      if (attempts === 0) {
        isDrawing = false;
        return '';
      }
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      const x = Math.round(index * step);
      const y = Math.round(79 - (78 * first_time) / attempts);
      // A single day is drawn as a short line, because a point would be invisible.
      const isAlone = (days[index + 1]?.attempts ?? 0) === 0 && command === 'M';
      return `${command}${x} ${y}${isAlone ? `h${index === days.length - 1 ? -4 : 4}` : ''}`;
    })
    .join('');
}
