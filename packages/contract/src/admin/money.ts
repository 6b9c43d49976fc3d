import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Kopecks } from '../money.ts';
import { Id, IdText, Instant, PageQuery } from '../wire.ts';

const access = ['access-admin-page', 'manipulate-payments'] as const;

/**
 * What waits for somebody who knows about money. `difference`: the bank's statement and our payments disagree;
 * `hold_ending`: a hold whose life is nearly over; `debt`: a total that is not captured yet; `lost`: a total that never will
 * be; `chargeback`: the bank took money back; `refund_refused`; `ledger_fault`: the nightly check of the ledger;
 * `overridden`: staff forced the status of a payment; `shared_wallet`: wallets that several users pay from; `reward`: a reward that
 * passed the limit of its recipient, and was paid because it was promised.
 */
export const moneyKinds = [
  'difference',
  'hold_ending',
  'debt',
  'lost',
  'chargeback',
  'refund_refused',
  'ledger_fault',
  'overridden',
  'shared_wallet',
  'reward',
] as const;
export const MoneyKind = z.enum(moneyKinds);
export type MoneyKind = z.infer<typeof MoneyKind>;

export const MoneyOverview = z.object({
  kinds: z.array(z.object({ kind: MoneyKind, count: z.int(), sum: Kopecks })),
  /** The last check of the ledger; null: there was none yet. */
  ledger: z.nullable(z.object({ checked_at: Instant, faults: z.int() })),
});
export type MoneyOverview = z.infer<typeof MoneyOverview>;

export const moneyOverview = endpoint({
  method: 'GET',
  path: '/api/admin/money',
  summary: 'What waits, by kind, with its number and its sum',
  access,
  reply: MoneyOverview,
  openInMaintenance: true,
});

export const MoneyCase = z.object({
  id: Id,
  kind: MoneyKind,
  /** The finer name of a difference: orphan_hold, missing_capture, amount_mismatch … */
  code: z.nullable(z.string()),
  operation_id: z.nullable(Id),
  payment_id: z.nullable(Id),
  user_id: z.nullable(Id),
  amount: Kopecks,
  at: Instant,
  /** When the hold ends, for `hold_ending`. */
  until: z.nullable(Instant),
  details: z.record(z.string(), z.unknown()),
  /** Staff can mark it as done. */
  is_resolvable: z.boolean(),
});
export type MoneyCase = z.infer<typeof MoneyCase>;

export const moneyCases = endpoint({
  method: 'GET',
  path: '/api/admin/money/:kind',
  summary: 'The cases of one kind, newest first',
  access,
  params: z.object({ kind: MoneyKind }),
  query: PageQuery,
  reply: z.array(MoneyCase),
  openInMaintenance: true,
});

export const resolveMoneyCase = endpoint({
  method: 'POST',
  path: '/api/admin/money/resolve/:id',
  summary: 'Mark a difference as dealt with, with a sentence about what was done',
  money: [{ of: 'anomaly', at: 'params.id' }],
  access,
  params: z.object({ id: IdText }),
  body: z.object({
    comment: z.string().check(z.maxLength(1000), z.regex(/\S/, 'The comment is required.')),
  }),
  refusals: ['not_found'],
  openInMaintenance: true,
});
