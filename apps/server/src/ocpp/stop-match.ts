import { isClockSet, normaliseIdTag } from '@fpay/ocpp';
import { allowedWh } from './energy.ts';
import type { SessionStop } from './events.ts';
import type { TransactionRow } from './transaction-row.ts';

/**
 * Which open charge of a device a stop means when its transaction id is none that we gave. A tag decides alone. A stop
 * without a tag must fit by its time and its register. Null: it fits none, or more than one.
 */
export function matchStop(open: readonly TransactionRow[], stop: SessionStop): TransactionRow | null {
  const running = open.filter(({ continuedBy }) => continuedBy === null);
  if (stop.idTag === null) return onlyOne(running.filter((transaction) => fits(transaction, stop)));
  const tag = normaliseIdTag(stop.idTag);
  const tagged = running.filter(({ idTag }) => idTag === tag);
  return onlyOne(tagged) ?? onlyOne(tagged.filter((transaction) => fits(transaction, stop)));
}

function onlyOne(found: readonly TransactionRow[]): TransactionRow | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}

function fits({ count, deviceStartedAt, ratedW }: TransactionRow, stop: SessionStop): boolean {
  const { meterStopWh, receivedAt } = stop;
  // A clock that was never set says nothing about the time.
  const at = isClockSet(stop.deviceAt) ? stop.deviceAt : receivedAt;
  if (meterStopWh === null || at < deviceStartedAt) return false;
  const risenWh = meterStopWh - (count.lastWh ?? count.originWh ?? 0);
  return risenWh >= 0 && risenWh <= allowedWh(count, { at, receivedAt }, ratedW);
}
