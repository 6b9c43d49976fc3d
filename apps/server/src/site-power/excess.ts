import type { SiteConnector } from './divide.ts';

/** Which charges end so that a site comes below its limit. This file is pure. */

export interface Running extends SiteConnector {
  operation: number | null;
  /** It may be asked to stop. */
  isOngoing: boolean;
  /** A stop was requested a moment ago. */
  isEnding: boolean;
  startedAt: Date | null;
}

/** What a charge takes: what was measured, or what the device has accepted since, unless it was seen not to obey. */
export function takenBy({ ratedW, drawnW, capW, obeys, fallbackW, hasProfiles, isRunning, isEnding }: Running): number {
  if (!isRunning || isEnding) return 0;
  const measuredW = drawnW === null ? null : Math.min(drawnW, ratedW);
  const acceptedW = hasProfiles && obeys !== false ? (capW ?? (obeys ? fallbackW : null)) : null;
  if (acceptedW === null) return measuredW ?? ratedW;
  return Math.min(measuredW ?? acceptedW, acceptedW);
}

export function takenAt(connectors: readonly Running[]): number {
  return connectors.reduce((sum, one) => sum + takenBy(one), 0);
}

/** The newest charges first, until the rest is within the limit. A device that is away cannot be asked. */
export function chargesToStop(limitW: number, connectors: readonly Running[]): number[] {
  let overW = takenAt(connectors) - limitW;
  const newest = connectors
    .filter((one) => one.isOngoing && one.isOnline && takenBy(one) > 0)
    .toSorted(
      (one, other) => Number(other.startedAt) - Number(one.startedAt) || (other.operation ?? 0) - (one.operation ?? 0),
    );
  const stopped: number[] = [];
  for (const one of newest) {
    if (overW <= 0) break;
    if (one.operation === null) continue;
    stopped.push(one.operation);
    overW -= takenBy(one);
  }
  return stopped;
}
