import { type Bill, billOf } from '@fpay/contract/idle-fee';
import type { WattHours } from '@fpay/contract/money';
import type { StoredOperation } from '../store.ts';

/** What an operation costs with this energy and the idle time that was observed so far. */
export function billFor(
  { price, deposit, idleTotal }: Pick<StoredOperation, 'price' | 'deposit' | 'idleTotal'>,
  energy: WattHours,
): Bill {
  return billOf({ price, deposit, idleFee: idleTotal }, energy);
}
