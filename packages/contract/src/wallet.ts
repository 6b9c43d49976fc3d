import * as z from 'zod/mini';
import { withReason } from './admin/reasons.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks, SignedKopecks } from './money.ts';
import { DeclineReason, PaymentStatus } from './payments.ts';
import { Id, KyivDate, KyivTime, PageQuery } from './wire.ts';

export const balanceTransactionTypes = [
  'admin',
  'deposit',
  'gift_from',
  'gift_to',
  'operation_payment',
  'operation_return',
  'payment_reversal',
  'promo',
] as const;
export const BalanceTransactionType = z.enum(balanceTransactionTypes);
export type BalanceTransactionType = z.infer<typeof BalanceTransactionType>;

export const BalanceTransaction = z.object({
  id: Id,
  type: BalanceTransactionType,
  /** The other person and the reason; null where there is none. People are identified by their phone numbers. */
  context: z.object({
    admin_id: z.nullable(Id),
    charging_operation_id: z.nullable(Id),
    invoice_id: z.nullable(Id),
    recipient: z.nullable(z.string()),
    sender: z.nullable(z.string()),
    reversed_transaction_id: z.nullable(Id),
    promo_id: z.nullable(Id),
  }),
  /** The charge behind it; null when there is none. Only its own driver may open it. */
  charge: z.optional(z.nullable(z.object({ station_number: z.string(), is_own: z.boolean() }))),
  /** From the point of view of the wallet: incoming amounts are positive. */
  amount: SignedKopecks,
  date: KyivDate,
  time: KyivTime,
});
export type BalanceTransaction = z.infer<typeof BalanceTransaction>;

export const balanceTransactions = endpoint({
  method: 'GET',
  path: '/api/user/balance/transactions',
  summary: "The wallet's transactions, newest first; `before` is the last id of the page already seen",
  access: ['use-balance'],
  query: PageQuery,
  reply: z.array(BalanceTransaction),
});

/** Limits of one top-up, in kopecks. */
export const topUpLimits = { least: 10_00, most: 10_000_00 } as const;

const Amount = Kopecks.check(z.positive('The amount must be greater than 0.'));

/** A phone number as people write it, with spaces, brackets and dashes. */
const GiftPhone = z.string().check(
  z.maxLength(32),
  z.refine((typed) => /^\+\d{4,14}$/.test(typed.replace(/[\s()-]/g, '')), 'The phone number is invalid.'),
);

export const giftBalance = endpoint({
  method: 'POST',
  path: '/api/user/balance/gift',
  summary: 'Send money from the balance to another user',
  access: ['use-balance'],
  body: z.object({ to: GiftPhone, amount: Amount }),
  reply: z.object({ balance: Kopecks }),
  refusals: ['insufficient_balance', 'transfer_refused', 'only_owner_gifts', 'user_not_found', 'too_many_attempts'],
  movesMoney: true,
});

export const giftRecipient = endpoint({
  method: 'POST',
  path: '/api/user/balance/gift/recipient',
  summary: "The recipient's masked name, so that the sender can confirm it before a gift",
  access: ['use-balance'],
  body: z.object({ to: GiftPhone }),
  reply: z.object({ name: z.string() }),
  refusals: ['transfer_refused', 'only_owner_gifts', 'user_not_found', 'too_many_attempts'],
});

export const buyBalance = endpoint({
  method: 'POST',
  path: '/api/user/balance/buy',
  summary: 'Top up the balance by card or by a saved card: answers with the page to open next',
  access: ['use-balance'],
  body: z.object({
    amount: Kopecks.check(
      z.gte(topUpLimits.least, 'The amount must be between 10 and 10000 UAH.'),
      z.lte(topUpLimits.most, 'The amount must be between 10 and 10000 UAH.'),
    ),
    /** The page of ours to which the bank returns the driver. */
    redirect_to: z.string().check(z.maxLength(2048)),
    /** The saved card that pays; without it the bank's page is opened. */
    card: z.optional(z.nullable(Id)),
    /** The driver agrees that the bank saves the card of this payment. */
    save_card: z.optional(z.boolean()),
  }),
  /** The bank's page, or `redirect_to` itself when a saved card pays and there is no page to open. */
  reply: z.object({ page_url: z.string() }),
  refusals: ['bank_away', 'too_many_attempts', 'card_not_found', 'card_expired'],
  movesMoney: true,
});

export const lastTopUp = endpoint({
  method: 'GET',
  path: '/api/user/balance/buy',
  summary: "The caller's latest top-up, for a driver who returns from the bank's page before the bank has answered",
  access: ['use-balance'],
  reply: z.nullable(
    z.object({
      amount: Kopecks,
      /** Null while the bank has not decided. */
      payment_status: PaymentStatus,
      /** The bank's page while the payment is open. */
      page_url: z.nullable(z.string()),
      /** Set only when the bank declined the card. */
      decline_reason: z.nullable(DeclineReason),
      /** The last digits of the card, as `*4821`; null while it is not known. */
      card: z.nullable(z.string()),
    }),
  ),
});

/** Staff credit and debit whole kopecks, up to 10000 UAH at a time. */
const StaffAmount = Kopecks.check(
  z.gte(1, 'Only integer values between 1 and 1000000!'),
  z.lte(1_000_000, 'Only integer values between 1 and 1000000!'),
);
const StaffMoney = z.object({ user_id: Id, amount: StaffAmount, ...withReason });
/** The balance after it. A sum above the limit of the settings has moved nothing yet: it waits for approval under this id. */
const StaffMoneyMoved = z.object({ balance: Kopecks, approval_id: z.nullable(Id) });

export const increaseBalance = endpoint({
  method: 'POST',
  path: '/api/admin/users/balance/increase',
  summary: 'Give money to a user',
  access: ['access-admin-page', 'manage-balances'],
  money: [{ of: 'user', at: 'body.user_id' }],
  body: StaffMoney,
  reply: StaffMoneyMoved,
  refusals: ['user_not_found', 'own_balance'],
  movesMoney: true,
});

export const decreaseBalance = endpoint({
  method: 'POST',
  path: '/api/admin/users/balance/decrease',
  summary: 'Take money from a user',
  access: ['access-admin-page', 'manage-balances'],
  money: [{ of: 'user', at: 'body.user_id' }],
  body: StaffMoney,
  reply: StaffMoneyMoved,
  refusals: ['user_not_found', 'insufficient_balance', 'own_balance'],
  movesMoney: true,
});

export const cancelBalanceTransaction = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/balance/transactions',
  summary: 'Reverse a balance transaction; a top-up can go back to the card',
  access: ['access-admin-page', 'manage-balance-transactions'],
  money: [{ of: 'transaction', at: 'body.id' }],
  body: z
    .object({
      id: Id,
      /** When true, the money of a top-up is also returned to the card. */
      cancel_payment: z.boolean(),
      /** When true and the balance is too small, the available part is taken back. */
      allow_partial: z.boolean(),
      ...withReason,
    })
    .check(
      z.refine(({ cancel_payment, allow_partial }) => !(cancel_payment && allow_partial), {
        path: ['allow_partial'],
        error: 'A return to the card cannot be partial.',
      }),
    ),
  /** Above the limit nothing has moved: it waits for approval under this id. */
  reply: z.object({ reversed: Kopecks, approval_id: z.nullable(Id) }),
  refusals: ['transaction_not_found', 'already_reversed', 'not_reversible', 'balance_too_small', 'own_balance'],
  movesMoney: true,
});

export const shareWallet = endpoint({
  method: 'POST',
  path: '/api/admin/users/wallet/share',
  summary: "Let users pay from another user's wallet; their own waits for them",
  access: ['access-admin-page', 'manage-users'],
  money: [
    { of: 'user', at: 'body.owner_id' },
    { of: 'user', at: 'body.user_ids' },
  ],
  body: z.object({ owner_id: Id, user_ids: z.array(Id).check(z.minLength(1), z.maxLength(100)) }),
  reply: z.object({ wallet_id: Id }),
  refusals: ['user_not_found', 'wallet_not_shareable'],
});

export const dissolveWallet = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/wallet/share',
  summary: 'Give everybody their own wallet back; the money stays with the owner',
  access: ['access-admin-page', 'manage-users'],
  money: [{ of: 'user', at: 'body.owner_id' }],
  body: z.object({ owner_id: Id }),
  reply: z.object({ wallet_id: Id }),
  refusals: ['user_not_found', 'wallet_not_shareable'],
});

/** Sent to all users of a wallet when its balance changes. */
export const WalletBalanceUpdate = z.object({ type: z.literal('wallet_balance_update'), balance: Kopecks });
