import type { MaintenanceState } from '@fpay/contract/maintenance';

type Span = Pick<MaintenanceState, 'start_time' | 'end_time'>;

/** The elapsed share from start to end in percent; null when either is unknown. */
export function elapsedPercent({ start_time, end_time }: Span, now: number): number | null {
  if (!start_time || !end_time) return null;
  const start = Date.parse(start_time);
  const end = Date.parse(end_time);
  if (end <= start) return 100;
  return Math.min(100, Math.max(0, ((now - start) / (end - start)) * 100));
}

/** Rounded up, because "0 min left" would promise the end. Null without an end, or after it. */
export function minutesLeft({ end_time }: Span, now: number): number | null {
  if (!end_time) return null;
  const minutes = Math.ceil((Date.parse(end_time) - now) / 60_000);
  return minutes > 0 ? minutes : null;
}
