import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Kopecks } from '../money.ts';
import { noMoney } from '../staff-money.ts';
import { cancelBalanceTransaction, increaseBalance } from '../wallet.ts';
import { Id } from '../wire.ts';

/** What an action on balances will do, before it is done. A refused action says why and changes nothing. */
export const BalanceEffect = z.object({
  is_allowed: z.boolean(),
  /** A code of the refusals; null when the action is allowed. */
  refusal: z.nullable(z.string()),
  /** What will be moved. It is less than was asked for when only a part is there. */
  amount: Kopecks,
  is_partial: z.boolean(),
  /** The sum is above the limit of one staff member: it moves when a second one approves it. */
  needs_approval: z.boolean(),
  /** The money leaves the balance and goes back to the card that it came from. */
  to_card: z.boolean(),
  /** Every wallet that changes, under the name of its owner, with its balance before and after. */
  wallets: z.array(z.object({ user_id: Id, name: z.string(), from: Kopecks, to: Kopecks })),
});
export type BalanceEffect = z.infer<typeof BalanceEffect>;

export const previewBalance = endpoint({
  method: 'POST',
  path: '/api/admin/users/balance/preview',
  summary: 'What giving money to a user or taking it would change, without doing it',
  onlyReads: true,
  access: ['access-admin-page', 'manage-balances'],
  money: noMoney.reads,
  body: z.extend(increaseBalance.body, { action: z.enum(['give', 'take']) }),
  reply: BalanceEffect,
});

export const previewReversal = endpoint({
  method: 'POST',
  path: '/api/admin/users/balance/transactions/preview',
  summary: 'What the reversal of a balance transaction would change, without doing it',
  onlyReads: true,
  access: ['access-admin-page', 'manage-balance-transactions'],
  money: noMoney.reads,
  body: cancelBalanceTransaction.body,
  reply: BalanceEffect,
});
