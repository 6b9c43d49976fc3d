import { text } from '../../i18n/i18n.ts';
import { gap } from './number-format.ts';

/** `38 хв`, `2 год 10 хв`. */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const parts = [
    hours > 0 && `${hours}${gap}${text('generic:hours')}`,
    (rest > 0 || hours === 0) && `${rest}${gap}${text('generic:minutes')}`,
  ];
  return parts.filter(Boolean).join(gap);
}
