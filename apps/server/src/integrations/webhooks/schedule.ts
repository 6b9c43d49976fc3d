const minute = 60_000;
const hour = 60 * minute;

/** How long an event is tried. */
const retriedForMs = 72 * hour;

/** No attempt is planned after this time. */
export const retryUntil = (from: Date): Date => new Date(from.getTime() + retriedForMs);

/** The pauses after the first failures; later ones are as long as the last. */
const pausesMs = [10_000, 30_000, minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 6 * hour];

/** After so many failed attempts in a row, over at least this time, an endpoint is paused until staff resume it. */
const pauseAfter = { failures: 20, overMs: hour };

/** When the next attempt is made after `attempts` have failed; null when the event is given up. */
export function nextAttempt(attempts: number, now: Date, until: Date): Date | null {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
  const next = new Date(now.getTime() + pauseMs);
  return next <= until ? next : null;
}

export function isPauseDue(failures: number, failingSince: Date, now: Date): boolean {
  return failures >= pauseAfter.failures && now.getTime() - failingSince.getTime() >= pauseAfter.overMs;
}
