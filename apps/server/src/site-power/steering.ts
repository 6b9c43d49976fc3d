/** Whether a device does what it has accepted. This file is pure. */

export interface Observed {
  /** What the device has accepted, and when; null when it may take its rated power. */
  capW: number | null;
  capAt: Date | null;
  /** The most that was in force in the seconds before; null when that was its rated power. */
  beforeW: number | null;
  /** The power when this lower share was asked; null when the share was not lower. */
  fromW: number | null;
  /** The last reading of a running charge. */
  drawnW: number | null;
  readAt: Date | null;
}

/** Cars follow within five seconds (IEC 61851). */
const followsWithinMs = 5_000;
/** A car that takes less only later does so for reasons of its own. */
const seenWithinMs = 45_000;
/** Meters and cars are not exact, and limits in amperes are rounded. */
const tolerance = 1.05;
const toleranceW = 300;
/** The power has fallen by more than meters are inexact. */
const leastFall = 1.1;

const mostOf = (watts: number) => watts * tolerance + toleranceW;

/** Null when the reading says nothing about it. */
export function obeysBy({ capW, capAt, beforeW, fromW, drawnW, readAt }: Observed): boolean | null {
  if (capW === null || capAt === null || drawnW === null || readAt === null) return null;
  const sinceMs = readAt.getTime() - capAt.getTime();
  const allowedW = mostOf(capW);
  if (drawnW > allowedW) {
    if (sinceMs >= followsWithinMs) return false;
    // The car has not had its time for the present share, but the ones before did not allow this either. Without it each
    // new share of a device that ignores them would hide it for another reading.
    return sinceMs >= 0 && beforeW !== null && drawnW > mostOf(beforeW) ? false : null;
  }
  const isLowered = fromW !== null && fromW > allowedW * leastFall;
  return isLowered && sinceMs > 0 && sinceMs <= seenWithinMs ? true : null;
}

/** While it is set, the answer or the readings after it are awaited. */
export function isOnTrial({ fromW, capAt }: Pick<Observed, 'fromW' | 'capAt'>, isAsked: boolean, now: number): boolean {
  return fromW !== null && (isAsked || (capAt !== null && now - capAt.getTime() < seenWithinMs));
}
