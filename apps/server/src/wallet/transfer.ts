import assert from 'node:assert/strict';
import { type Kopecks, kopecks } from '@fpay/contract/money';

/** A ledger account: a wallet, one operation's reserve or earnings, a refund in progress, or one of the network's own. */
export type AccountId = number & { readonly __account: 'AccountId' };
export const accountId = (id: number) => id as AccountId;

/** The network's own accounts. They have no stored balance, because every settlement would lock that row. */
export const network = {
  /** What the bank owes us; it decreases as card payments come in, so its balance is negative. */
  clearing: accountId(1),
  /** What is no operation's own: sums that were never collected, rewards. Revenue is this and all accounts of earnings. */
  revenue: accountId(2),
  promotions: accountId(3),
  /** What staff credited and debited. */
  staff: accountId(4),
  /** Energy that was delivered and never paid for. */
  losses: accountId(5),
  /** The bank's fees. */
  fees: accountId(6),
} as const;

export type TransferKind =
  | 'operation_payment'
  | 'operation_return'
  | 'earned'
  | 'gift'
  | 'deposit'
  | 'admin'
  | 'promo'
  | 'reversal'
  | 'capture'
  | 'refund'
  | 'refunded'
  | 'refund_refused'
  | 'lost'
  | 'chargeback'
  | 'fee'
  | 'correction'
  | 'party_return'
  | 'allowance'
  | 'opening'
  | 'reward_cost';

/**
 * Money has a colour in a closed party: what came from the party, and what is the member's own. This says which of the two
 * a transfer takes first, or takes alone. The database computes the parts, because it alone knows the balance at the moment.
 */
export type Takes = 'own' | 'party' | 'own_only' | 'party_only';

/** A transfer has both ends, so an unbalanced one cannot be written. */
export interface Transfer {
  /** Identifies the business event: a repeat under the same key does nothing. */
  key: string;
  kind: TransferKind;
  from: AccountId;
  to: AccountId;
  amount: Kopecks;
  operation?: number;
  payment?: number;
  sender?: number;
  recipient?: number;
  staff?: number;
  promo?: number;
  reverses?: number;
  /** Which money it takes first, where its kind does not say it (`colours.ts`). */
  takes?: Takes;
  /** How much of it arrives as the money of `party`; without it money keeps its colour. */
  arriving?: number;
  party?: number;
}

/**
 * A deposit reserved for one operation, and the wallet that paid it. The rest returns to that wallet, whichever users
 * it has by then.
 */
export interface Reserve {
  operation: number;
  account: AccountId;
  wallet: AccountId;
  deposit: Kopecks;
}

/** With `partyOnly` the wallet's own money pays nothing. */
export function reserve({ operation, account, wallet, deposit }: Reserve, { partyOnly = false } = {}): Transfer[] {
  return [
    {
      key: `operation:${operation}:payment`,
      kind: 'operation_payment',
      from: wallet,
      to: account,
      amount: deposit,
      operation,
      ...(partyOnly && { takes: 'party_only' }),
    },
  ];
}

/** The payment itself is never edited: the used part is earned, the rest returns to the wallet. */
export function settle(
  { operation, account, wallet, deposit }: Reserve,
  { total, earned }: { total: Kopecks; earned: AccountId },
): Transfer[] {
  assert(total <= deposit, 'settled more than was paid in');
  return moving([
    {
      key: `operation:${operation}:earned`,
      kind: 'earned',
      from: account,
      to: earned,
      amount: total,
      operation,
    },
    {
      key: `operation:${operation}:return`,
      kind: 'operation_return',
      from: account,
      to: wallet,
      amount: kopecks(deposit - total),
      operation,
    },
  ]);
}

/**
 * The final meter reading came after the money was settled: only the difference moves, and never above the deposit.
 * `earlier` counts the corrections before this one, because a total may return to an earlier value.
 */
export function correct(
  { operation, wallet, deposit }: Reserve,
  { settled, total, earlier, earned }: { settled: Kopecks; total: Kopecks; earlier: number; earned: AccountId },
): Transfer[] {
  assert(total <= deposit, 'corrected to more than was paid in');
  const difference = kopecks(Math.abs(total - settled));
  const isMore = total > settled;
  return moving([
    {
      key: correctionKey(operation, earlier + 1),
      kind: 'correction',
      from: isMore ? wallet : earned,
      to: isMore ? earned : wallet,
      amount: difference,
      operation,
      // To pay more is to charge; what is given back is own money first.
      takes: isMore ? 'party' : 'own',
    },
  ]);
}

/** The key of an operation's reward by a promotion. */
export const rewardKey = (operation: number, promo: number) => `operation:${operation}:promo:${promo}`;

/** The operation's earnings pay the reward, and the promotions carry its cost. */
export function reward(
  { operation, promo, user, amount }: { operation: number; promo: number; user: number; amount: Kopecks },
  { earned, wallet }: { earned: AccountId; wallet: AccountId },
  colour: Partial<Transfer> = {},
): Transfer[] {
  const key = rewardKey(operation, promo);
  return [
    { key, kind: 'promo', from: earned, to: wallet, amount, promo, operation, recipient: user, ...colour },
    {
      key: `${key}:cost`,
      kind: 'reward_cost',
      from: network.promotions,
      to: network.revenue,
      amount,
      promo,
      operation,
    },
  ];
}

/** The key of an operation's first correction, its second, and so on. */
export const correctionKey = (operation: number, nth: number) => `operation:${operation}:correction:${nth}`;

/** The database refuses transfers of zero; a settlement with nothing left has one transfer fewer. */
function moving(transfers: Transfer[]): Transfer[] {
  return transfers.filter((transfer) => transfer.amount > 0);
}

/** The accounts with a stored balance in a list, in the order in which every step locks them. */
export function keptEnds(transfers: readonly Pick<Transfer, 'from' | 'to'>[]): AccountId[] {
  const ends = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  return [...ends].filter(isKept).sort((a, b) => a - b);
}

/** The network's own accounts have ids below this, and no stored balance. */
const firstKept = 100;
const isKept = (account: AccountId) => account >= firstKept;

/** Which ends of a transfer may be wallets; the network's own never are. */
const walletEnds = {
  operation_payment: ['from'],
  operation_return: ['to'],
  earned: [],
  gift: ['from', 'to'],
  deposit: ['to'],
  admin: ['from', 'to'],
  promo: ['to'],
  reversal: ['from', 'to'],
  capture: [],
  refund: ['from'],
  refunded: [],
  refund_refused: ['to'],
  lost: [],
  chargeback: ['from'],
  fee: [],
  correction: ['from', 'to'],
  party_return: ['from', 'to'],
  allowance: ['from', 'to'],
  opening: [],
  reward_cost: [],
} as const satisfies Record<TransferKind, readonly ('from' | 'to')[]>;

/** Wallets whose balance a transfer changes; their users are notified. */
export function walletsOf(transfer: Pick<Transfer, 'kind' | 'from' | 'to'>): AccountId[] {
  return walletEnds[transfer.kind].map((end) => transfer[end]).filter(isKept);
}
