import { text } from '../../i18n/i18n.ts';

const longestInSeconds = 99;

/** The age of something: seconds up to a minute, then minutes. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  if (seconds <= longestInSeconds) return text('generic:secondsAgo', { seconds });
  return text('generic:minutesAgo', { minutes: Math.floor(seconds / 60) });
}
