import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import type { Selectable, Updateable } from 'kysely';
import type { Payments as Row } from '../platform/generated/database.ts';
import { accountId, type Reserve } from '../wallet/transfer.ts';
import type { Provider } from './bank-terms.ts';
import type { PaymentState } from './payment.ts';

export interface Payment {
  id: number;
  /** The bank with which its invoice is opened. */
  provider: Provider;
  purpose: 'operation' | 'top_up';
  method: 'bank' | 'bonuses';
  operation: number | null;
  user: number;
  wallet: number | null;
  /** The account of a deposit from the balance; null for cards. */
  reserve: Reserve | null;
  amount: Kopecks;
  state: PaymentState;
  /** As other features see it: `unknown` while the bank does not answer. */
  holdStatus: HoldStatus;
  wanted: 'capture' | 'release' | null;
  total: Kopecks | null;
  captured: Kopecks;
  refunded: Kopecks;
  lost: Kopecks;
  redirectUrl: string;
  description: string;
  invoice: string | null;
  pageUrl: string | null;
  openedAt: Date | null;
  expiresAt: Date | null;
  heldAt: Date | null;
  bankStatus: string | null;
  bankModifiedAt: Date | null;
  askedAt: Date | null;
  tries: number;
  maskedPan: string | null;
  rrn: string | null;
  failureReason: string | null;
  errorCode: string | null;
  fiscal: { number: string | null; url: string } | null;
  /** Whether the bank saves the card of this payment. */
  savesCard: boolean;
  /** The saved card that pays, and when the bank was asked to charge it. */
  card: number | null;
  cardAskedAt: Date | null;
  isOverridden: boolean;
  createdAt: Date;
  claim: number;
}

export interface NewPayment {
  purpose: 'operation' | 'top_up';
  method: 'bank' | 'bonuses';
  operation: number | null;
  user: number;
  wallet: number | null;
  reserveAccount: number | null;
  amount: Kopecks;
  description: string;
  redirectUrl: string | null;
  requestKey: string | null;
  savesCard?: boolean;
  card?: number | null;
  nextActionAt: Date | null;
}

/** Everything but the status, which only `move` writes. */
export type PaymentChanges = Omit<Updateable<Row>, 'status'>;

/** What lists of operations show of a payment depends on these, and on the status. */
export const shownColumns = ['captured', 'refunded', 'is_uncertain'] as const satisfies (keyof PaymentChanges)[];
/** Changes beside the next due time, which are written without the lock of the operation. */
export type PlannedChanges = PaymentChanges & { [Column in (typeof shownColumns)[number]]?: never };

/** A payment from its row. */
export function paymentOfRow(row: Selectable<Row>): Payment {
  return {
    id: row.id,
    provider: row.provider as Provider,
    purpose: row.purpose,
    method: row.method,
    operation: row.operation_id,
    user: row.user_id,
    wallet: row.wallet_id,
    reserve: reserveOf(row),
    amount: kopecks(row.amount),
    state: row.status,
    holdStatus: row.hold_status,
    wanted: row.wanted,
    total: row.total === null ? null : kopecks(row.total),
    captured: kopecks(row.captured),
    refunded: kopecks(row.refunded),
    lost: kopecks(row.lost),
    redirectUrl: row.redirect_url ?? '',
    description: row.description,
    invoice: row.invoice_id,
    pageUrl: row.page_url,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    heldAt: row.held_at,
    bankStatus: row.bank_status,
    bankModifiedAt: row.bank_modified_at,
    askedAt: row.asked_at,
    tries: row.tries,
    maskedPan: row.masked_pan,
    rrn: row.rrn,
    failureReason: row.failure_reason,
    errorCode: row.error_code,
    fiscal: row.fiscal_url === null ? null : { number: row.fiscal_number, url: row.fiscal_url },
    savesCard: row.saves_card,
    card: row.card_id,
    cardAskedAt: row.card_asked_at,
    isOverridden: row.is_overridden,
    createdAt: row.created_at,
    claim: row.due_claim,
  };
}

function reserveOf({ operation_id, wallet_id, reserve_account, amount }: Selectable<Row>): Reserve | null {
  if (operation_id === null || wallet_id === null || reserve_account === null) return null;
  const [account, wallet] = [accountId(reserve_account), accountId(wallet_id)];
  return { operation: operation_id, account, wallet, deposit: kopecks(amount) };
}
