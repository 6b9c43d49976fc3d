/**
 * How many of our pings may go unanswered before a device counts as offline. With one, each small delay would count.
 */
const missedPings = 3;

/** A device that sends no frame for this long is offline. Any frame counts, because some devices never answer pings. */
export const offlineAfter = (pingIntervalMs: number): number => missedPings * pingIntervalMs;

/** A station is reachable while any of its charge points is. */
export function isStationOnline(chargePoints: readonly { isChargePointOnline: boolean }[]): boolean {
  return chargePoints.some(({ isChargePointOnline }) => isChargePointOnline);
}
