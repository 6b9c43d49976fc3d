import { isClockSet, normaliseIdTag } from '@fpay/ocpp';
import { allowedWh } from '../counting/energy.ts';
import type { TransactionStop } from '../device/events.ts';
import type { TransactionRow } from '../device/transaction-row.ts';

/**
 * Finds the open charge of a device that a stop refers to when its transaction id is none of ours. A tag alone decides.
 * A stop without a tag must match by its time and its register. Null when it matches none, or more than one.
 */
export function matchStop(open: readonly TransactionRow[], stop: TransactionStop): TransactionRow | null {
  const running = open.filter(({ continuedBy }) => continuedBy === null);
  if (stop.idTag === null) return onlyOne(running.filter((transaction) => fits(transaction, stop)));
  const tag = normaliseIdTag(stop.idTag);
  const tagged = running.filter(({ idTag }) => idTag === tag);
  return onlyOne(tagged) ?? onlyOne(tagged.filter((transaction) => fits(transaction, stop)));
}

function onlyOne(found: readonly TransactionRow[]): TransactionRow | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}

function fits({ count, deviceStartedAt, ratedW }: TransactionRow, stop: TransactionStop): boolean {
  const { meterStopWh, receivedAt } = stop;
  // The time of a clock that was never set cannot be used.
  const at = isClockSet(stop.deviceAt) ? stop.deviceAt : receivedAt;
  if (meterStopWh === null || at < deviceStartedAt) return false;
  const risenWh = meterStopWh - (count.lastWh ?? count.originWh ?? 0);
  return risenWh >= 0 && risenWh <= allowedWh(count, { at, receivedAt }, ratedW);
}
