/** We ping every charge point this often. */
export const pingIntervalMs = 20_000;
/** Never equal to the interval, or each small delay would look like a death: three pings may go missing. */
export const offlineAfterMs = 3 * pingIntervalMs;

/** Any frame is a sign of life: some devices never answer pings, others send no heartbeats. */
export function isOffline(lastFrameAt: Date, now: Date): boolean {
  return now.getTime() - lastFrameAt.getTime() >= offlineAfterMs;
}

/** A station is reachable while any of its charge points is. */
export function isStationOnline(chargePoints: readonly { isChargePointOnline: boolean }[]): boolean {
  return chargePoints.some(({ isChargePointOnline }) => isChargePointOnline);
}
