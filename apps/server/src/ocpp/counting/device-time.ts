import { isClockSet } from '@fpay/ocpp';

/** Clocks that are set differ by less than this. */
const skewToleranceMs = 5 * 60_000;
/** A device that we have never lost may still have been charging for days before it connected to us. */
const longestQueueMs = 7 * 24 * 3_600_000;

export interface Circumstances {
  deviceAt: number;
  receivedAt: number;
  /** When the present connection began, and when the previous one was lost (null when there was none). */
  connectedAt: number;
  lostAt: number | null;
}

/**
 * A device's time is used when it agrees with ours, or when it lies in the time the device was away, as for queued
 * messages. Any other time is from a wrong clock, and ours is used. A time later than now is never used.
 */
export function believedTime({ deviceAt, receivedAt, connectedAt, lostAt }: Circumstances): {
  at: number;
  isSkewed: boolean;
} {
  if (!isSkew(deviceAt, receivedAt)) return { at: Math.min(deviceAt, receivedAt), isSkewed: false };
  const awayFrom = lostAt ?? receivedAt - longestQueueMs;
  const isFromQueue =
    isClockSet(deviceAt) && deviceAt >= awayFrom - skewToleranceMs && deviceAt <= connectedAt + skewToleranceMs;
  return isFromQueue ? { at: deviceAt, isSkewed: false } : { at: receivedAt, isSkewed: true };
}

/** Whether two times differ by more than two clocks that are both set. */
export function isSkew(at: number, other: number): boolean {
  return Math.abs(at - other) > skewToleranceMs;
}

/**
 * The time by which the bill counts a reading or a stop; `at` is the time from `believedTime`. A connected device sends
 * at once what it measures, so our clock is the better one there; its own clock counts for what it stored while it was
 * away.
 */
export function billedTime(of: { at: number; receivedAt: number; connectedAt: number; startedAt: number }): number {
  const wasKept = of.at <= of.connectedAt && of.at >= of.startedAt;
  return wasKept ? of.at : of.receivedAt;
}
