import { allowedWh } from '../counting/energy.ts';
import type { TransactionStart, TransactionStop } from '../device/events.ts';
import type { TransactionRow } from '../device/transaction-row.ts';

/**
 * The running charge of a connector that a start reports again: chargers do so after a reboot, with a new timestamp. It has
 * the same tag and a register that lies between the first start and what the connector can have delivered since.
 */
export function sameCharge(
  open: readonly TransactionRow[],
  idTag: string,
  { meterStartWh, deviceAt: at, receivedAt }: TransactionStart,
): TransactionRow | null {
  const same = open.findLast(
    (row) => row.operationId !== null && row.continuedBy === null && row.idTag === idTag && row.stoppedAt === null,
  );
  if (!same) return null;
  const { count, ratedW } = same;
  const highestWh =
    (count.lastWh ?? count.originWh ?? same.meterStartWh) + allowedWh(count, { at, receivedAt }, ratedW);
  const registerWh = meterStartWh ?? 0;
  return registerWh >= same.meterStartWh && registerWh <= highestWh ? same : null;
}

const rebootReasons = new Set(['PowerLoss', 'Reboot', 'HardReset', 'SoftReset']);

/** A stop of the old id that only reports the reboot: the charge goes on under the id that it was given afterwards. */
export function isOfReboot(stop: TransactionStop, { deviceStartedAt }: TransactionRow): boolean {
  return rebootReasons.has(stop.reason) || stop.deviceAt <= deviceStartedAt;
}
