import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { defaultLeaseMs } from '../platform/due-work.ts';
import type { Refunds as RefundRow, Payments as Row } from '../platform/generated/database.ts';
import type { Step } from '../platform/step.ts';
import { accountId, type Reserve } from '../wallet/transfer.ts';
import type { PaymentState } from './payment.ts';

export interface Payment {
  id: number;
  purpose: 'operation' | 'top_up';
  method: 'bank' | 'bonuses';
  operation: number | null;
  user: number;
  wallet: number | null;
  /** Where a deposit from the balance waits; null for cards. */
  reserve: Reserve | null;
  amount: Kopecks;
  state: PaymentState;
  /** As others see it: `unknown` while the bank cannot be asked. */
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
  state: PaymentState;
  description: string;
  redirectUrl: string | null;
  requestKey: string | null;
  nextActionAt: Date | null;
}

export interface Refund {
  id: number;
  payment: number;
  amount: Kopecks;
  extRef: string;
  status: 'asked' | 'processing' | 'success' | 'failure';
  rrn: string | null;
  tries: number;
  /** Null: the product asked by itself. */
  staff: number | null;
}

export type Changes = Updateable<Row>;

/** Payments and refunds: the only code that knows these tables. */
export function createPaymentStore(db: Database, clock: Clock) {
  return {
    async add(step: Step, payment: NewPayment): Promise<Payment> {
      const now = clock.now();
      const row = await step.db
        .insertInto('payments')
        .values({
          purpose: payment.purpose,
          method: payment.method,
          operation_id: payment.operation,
          user_id: payment.user,
          wallet_id: payment.wallet,
          reserve_account: payment.reserveAccount,
          amount: payment.amount,
          status: payment.state,
          held_at: payment.state === 'hold' ? now : null,
          description: payment.description,
          redirect_url: payment.redirectUrl,
          request_key: payment.requestKey,
          created_at: now,
          next_action_at: payment.nextActionAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return paymentOf(row);
    },

    async find(id: number): Promise<Payment | null> {
      const row = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    async ofOperation(operation: number, from: Database | Step['db'] = db): Promise<Payment | null> {
      const row = await from
        .selectFrom('payments')
        .selectAll()
        .where('operation_id', '=', operation)
        .executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    async byInvoice(invoice: string): Promise<Payment | null> {
      const row = await db.selectFrom('payments').selectAll().where('invoice_id', '=', invoice).executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    async byRequest(requestKey: string, from: Database | Step['db'] = db): Promise<Payment | null> {
      const row = await from
        .selectFrom('payments')
        .selectAll()
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    async lastTopUp(user: number): Promise<Payment | null> {
      const row = await db
        .selectFrom('payments')
        .selectAll()
        .where('user_id', '=', user)
        .where('purpose', '=', 'top_up')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    /** Nobody else changes it until the step is over. Taken before any account's lock. */
    async lock(step: Step, id: number): Promise<Payment | null> {
      const row = await step.db
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    async change(step: Step, id: number, changes: Changes): Promise<Payment> {
      const row = await step.db
        .updateTable('payments')
        .set(changes)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return paymentOf(row);
    },

    /** Takes the row's next step into this process at once. Whoever had it before finds their claim void. */
    async claim(id: number): Promise<number> {
      const row = await db
        .updateTable('payments')
        .set({
          due_claim: sql<number>`due_claim + 1`,
          next_action_at: new Date(clock.now().getTime() + defaultLeaseMs),
        })
        .where('id', '=', id)
        .returning('due_claim')
        .executeTakeFirstOrThrow();
      return row.due_claim;
    },

    /** Something may have happened at the bank: look now. A look that is under way may be too early, so it loses its claim. */
    async hasten(id: number): Promise<void> {
      await db
        .updateTable('payments')
        .set({ due_claim: sql<number>`due_claim + 1`, next_action_at: clock.now() })
        .where('id', '=', id)
        .execute();
    },

    async schedule(id: number, claim: number, nextActionAt: Date | null, changes: Changes = {}): Promise<void> {
      await db
        .updateTable('payments')
        .set({ ...changes, next_action_at: nextActionAt })
        .where('id', '=', id)
        .where('due_claim', '=', claim)
        .execute();
    },

    /** Open and successful refunds of a payment. */
    async refunds(payment: number, from: Database | Step['db'] = db): Promise<Refund[]> {
      const rows = await from
        .selectFrom('refunds')
        .selectAll()
        .where('payment_id', '=', payment)
        .orderBy('id')
        .execute();
      return rows.map(refundOf);
    },

    async addRefund(
      step: Step,
      refund: { payment: number; amount: Kopecks; staff: number | null; reverses: number | null },
    ): Promise<Refund> {
      const row = await step.db
        .insertInto('refunds')
        .values({
          payment_id: refund.payment,
          amount: refund.amount,
          ext_ref: sql<string>`'fpay-refund-' || gen_random_uuid()`,
          staff_id: refund.staff,
          reverses_id: refund.reverses,
          created_at: clock.now(),
          next_action_at: clock.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return refundOf(row);
    },

    async findRefund(id: number): Promise<Refund | null> {
      const row = await db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? refundOf(row) : null;
    },

    async lockRefund(step: Step, id: number): Promise<Refund | null> {
      const row = await step.db
        .selectFrom('refunds')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row ? refundOf(row) : null;
    },

    async changeRefund(step: Step, id: number, changes: Updateable<RefundRow>): Promise<void> {
      await step.db.updateTable('refunds').set(changes).where('id', '=', id).execute();
    },

    async scheduleRefund(id: number, claim: number, nextActionAt: Date, changes: Updateable<RefundRow> = {}) {
      await db
        .updateTable('refunds')
        .set({ ...changes, next_action_at: nextActionAt })
        .where('id', '=', id)
        .where('due_claim', '=', claim)
        .execute();
    },
  };
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

function paymentOf(row: Selectable<Row>): Payment {
  return {
    id: row.id,
    purpose: row.purpose as Payment['purpose'],
    method: row.method as Payment['method'],
    operation: row.operation_id,
    user: row.user_id,
    wallet: row.wallet_id,
    reserve: reserveOf(row),
    amount: kopecks(row.amount),
    state: row.status as PaymentState,
    holdStatus: row.hold_status as HoldStatus,
    wanted: row.wanted as Payment['wanted'],
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

function refundOf(row: Selectable<RefundRow>): Refund {
  return {
    id: row.id,
    payment: row.payment_id,
    amount: kopecks(row.amount),
    extRef: row.ext_ref,
    status: row.status as Refund['status'],
    rrn: row.rrn,
    tries: row.tries,
    staff: row.staff_id,
  };
}
