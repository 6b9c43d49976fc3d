import { isClockSet } from '@fpay/ocpp';

/** Clocks that are set at all agree to within this. */
const skewToleranceMs = 5 * 60_000;
/** A device that we have never lost may still have been charging for days before it was connected to us. */
const longestQueueMs = 7 * 24 * 3_600_000;

export interface Circumstances {
  deviceAt: number;
  receivedAt: number;
  /** When the present connection began, and when the one before was lost (null: there was none). */
  connectedAt: number;
  lostAt: number | null;
}

/**
 * A device's time is believed when it agrees with ours, or when it lies in the time the device was away: that is how a
 * queue looks. Everything else is a wrong clock, and ours counts. A time later than now is never believed.
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

/** Whether two clocks differ by more than clocks do that are both set. */
export function isSkew(at: number, other: number): boolean {
  return Math.abs(at - other) > skewToleranceMs;
}

/**
 * The time that the bill counts a reading or a stop by, where `at` is the time it is believed to be of. A device sends at
 * once what it measures while it is connected, so there our clock is the better one; its own counts for what it kept while
 * it was away.
 */
export function billedTime(of: { at: number; receivedAt: number; connectedAt: number; startedAt: number }): number {
  const wasKept = of.at <= of.connectedAt && of.at >= of.startedAt;
  return wasKept ? of.at : of.receivedAt;
}
