import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { MadeTransfer } from './ledger.ts';
import { type AccountId, network, type Transfer, type TransferKind } from './transfer.ts';

/**
 * The account that the money of a reversed transfer is taken from, and the one it goes to; null when such a transfer
 * cannot be reversed.
 */
type Way = (transfer: MadeTransfer) => { from: AccountId; to: AccountId } | null;

const back: Way = ({ from, to }) => ({ from: to, to: from });
const never: Way = () => null;

const ways = {
  gift: back,
  party_return: back,
  allowance: back,
  admin: back,
  promo: back,
  // The money stays at the bank, so it does not go to clearing: staff took it from the user.
  deposit: ({ to }) => ({ from: to, to: network.staff }),
  // The revenue of the operation returns to the wallet that paid; its reserve is already empty.
  operation_payment: ({ from }) => ({ from: network.revenue, to: from }),
  operation_return: never,
  earned: never,
  reversal: never,
  capture: never,
  refund: never,
  refunded: never,
  refund_refused: never,
  lost: never,
  chargeback: never,
  fee: never,
  correction: never,
} as const satisfies Record<TransferKind, Way>;

export function wayBack(transfer: MadeTransfer): { from: AccountId; to: AccountId } | null {
  return ways[transfer.kind](transfer);
}

/** How much can be taken back; null when there is too little and a part is not allowed. */
export function reversible(wanted: Kopecks, available: Kopecks | null, allowPartial: boolean): Kopecks | null {
  if (available === null || available >= wanted) return wanted;
  return allowPartial && available > 0 ? kopecks(available) : null;
}

/** A mistake is corrected by another transfer, once. */
export function reversal(
  transfer: MadeTransfer,
  { from, to }: { from: AccountId; to: AccountId },
  amount: Kopecks,
  staff: number,
): Transfer {
  const { id, operation, payment } = transfer;
  return {
    key: reversalKey(id),
    kind: 'reversal',
    from,
    to,
    amount,
    staff,
    reverses: id,
    ...(operation === undefined ? {} : { operation }),
    ...(payment === undefined ? {} : { payment }),
  };
}

export const reversalKey = (transfer: number) => `reversal:${transfer}`;
