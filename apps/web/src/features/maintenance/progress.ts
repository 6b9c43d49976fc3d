import type { MaintenanceState } from '@fpay/contract/maintenance';

type Span = Pick<MaintenanceState, 'start_time' | 'end_time'>;

/** The elapsed share of the span from start to end in percent; null when either end is open. */
export function elapsedPercent({ start_time, end_time }: Span, now: number): number | null {
  if (!start_time || !end_time) return null;
  const start = Date.parse(start_time);
  const end = Date.parse(end_time);
  if (end <= start) return 100;
  return Math.min(100, Math.max(0, ((now - start) / (end - start)) * 100));
}

/** A minute begun counts: "0 min left" would be a promise. Null without an end, or once it has passed. */
export function minutesLeft({ end_time }: Span, now: number): number | null {
  if (!end_time) return null;
  const minutes = Math.ceil((Date.parse(end_time) - now) / 60_000);
  return minutes > 0 ? minutes : null;
}
