import type { IdleFacts } from './observed-time.ts';

/** StatusNotification may follow StopTransaction; a device that does not report the plug by then gets no fee. */
const statusWaitMs = 60_000;
/** The driver gets the receipt although the device is away: minutes that are not observed cost nothing anyway. */
const awayWaitMs = 15 * 60_000;
/** The bank keeps the hold for nine days; no driver should wait longer than a day for the rest of a deposit. */
const longestWaitMs = 24 * 60 * 60_000;

/** Ends without a plug, by a fault or by an order of ours that releases the cable. The driver did not overstay. */
const endsWithoutFee: ReadonlySet<string> = new Set([
  'DeAuthorized',
  'EmergencyStop',
  'EVDisconnected',
  'HardReset',
  'PowerLoss',
  'Reboot',
  'SoftReset',
  'UnlockCommand',
]);
/** Statuses of a charge that has just ended, before the device reports where the cable is. */
const beforeReport: ReadonlySet<string> = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE']);

/** Whether the settlement waits for the plug when StopTransaction arrives. */
export function mayWaitForUnplug(end: { reason: string; status: string | null }): boolean {
  if (endsWithoutFee.has(end.reason)) return false;
  return end.status === 'Finishing' || beforeReport.has(end.status ?? '');
}

/** Why the wait for the plug is over; null while it goes on. */
export function whyWaitIsOver(facts: IdleFacts & { endedAt: Date; lastIdleAt: Date | null }): string | null {
  const { now, endedAt, status, connectedAt, lostAt, lastIdleAt } = facts;
  const since = (at: Date) => now.getTime() - at.getTime();
  if (since(endedAt) >= longestWaitMs) return 'a day has passed since the end';
  if (connectedAt === null) {
    const lastSeen = [endedAt, lostAt, lastIdleAt].reduce<Date>((last, at) => (at && at > last ? at : last), endedAt);
    return since(lastSeen) >= awayWaitMs ? 'the station stayed away' : null;
  }
  if (status === 'Finishing') return null;
  if (!beforeReport.has(status ?? '')) return `the connector is ${status ?? 'unknown'}`;
  return since(endedAt) >= statusWaitMs ? 'the station does not report the cable' : null;
}
