/** Pings of ours that may go unanswered before a device counts as offline. With one, each small delay would look like it. */
const missedPings = 3;

/** Without a frame for so long a device is offline. Any frame is a sign of life: some devices never answer pings. */
export const offlineAfter = (pingIntervalMs: number): number => missedPings * pingIntervalMs;

/** A station is reachable while any of its charge points is. */
export function isStationOnline(chargePoints: readonly { isChargePointOnline: boolean }[]): boolean {
  return chargePoints.some(({ isChargePointOnline }) => isChargePointOnline);
}
