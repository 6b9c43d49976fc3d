import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { MadeTransfer } from './ledger.ts';
import { type AccountId, network, type Transfer, type TransferKind } from './transfer.ts';

interface Ends {
  from: AccountId;
  to: AccountId;
}

/**
 * The account that the money of a reversed transfer is taken from, and the one it goes to; null when such a transfer
 * cannot be reversed.
 */
type Way = (transfer: MadeTransfer, earned: AccountId | null) => Ends | null;

const back: Way = ({ from, to }) => ({ from: to, to: from });
const never: Way = () => null;

const ways = {
  gift: back,
  // It would bring the party's money to somebody who left.
  party_return: never,
  allowance: back,
  admin: back,
  promo: back,
  // The money stays at the bank, so it does not go to clearing: staff took it from the user.
  deposit: ({ to }) => ({ from: to, to: network.staff }),
  // What the operation has left of its earnings returns to the wallet that paid; its reserve is already empty.
  operation_payment: ({ from }, earned) => earned && { from: earned, to: from },
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
  opening: never,
  reward_cost: never,
} as const satisfies Record<TransferKind, Way>;

/** `earned` is the account of the transfer's operation; null when it has earned nothing. */
export function wayBack(transfer: MadeTransfer, earned: AccountId | null): Ends | null {
  return ways[transfer.kind](transfer, earned);
}

/** How much can be taken back; null when there is too little and a part is not allowed. */
export function reversible(wanted: Kopecks, available: Kopecks | null, allowPartial: boolean): Kopecks | null {
  if (available === null || available >= wanted) return wanted;
  return allowPartial && available > 0 ? kopecks(available) : null;
}

/** A mistake is corrected by another transfer, once. The cost of a reward goes with it. */
export function reversal(
  transfer: MadeTransfer,
  { from, to }: Ends,
  amount: Kopecks,
  staff: number,
  colour: Partial<Transfer> = {},
): Transfer[] {
  const { id, kind, operation, payment } = transfer;
  const about = {
    amount,
    staff,
    reverses: id,
    ...(operation === undefined ? {} : { operation }),
    ...(payment === undefined ? {} : { payment }),
  };
  const key = reversalKey(id);
  const back: Transfer = { key, kind: 'reversal', from, to, ...about, ...colour };
  if (kind !== 'promo' || to === network.promotions) return [back];
  const { revenue, promotions } = network;
  return [back, { key: `${key}:cost`, kind: 'reward_cost', from: revenue, to: promotions, ...about }];
}

export const reversalKey = (transfer: number) => `reversal:${transfer}`;
