const minuteMs = 60_000;

/**
 * Whole minutes of a charge, as every page and paper shows them; null when no power flowed. Like the clock of a running charge it
 * does not round up, but a charge is never shown with 0 minutes.
 */
export function chargedMinutes(startedAt: Date | null, finishedAt: Date | null): number | null {
  if (!startedAt || !finishedAt) return null;
  return Math.max(1, Math.floor((finishedAt.getTime() - startedAt.getTime()) / minuteMs));
}
