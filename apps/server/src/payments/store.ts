import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { defaultLeaseMs } from '../platform/due-work.ts';
import type { Payments as Row } from '../platform/generated/database.ts';
import type { Step } from '../platform/step.ts';
import { accountId, type Reserve } from '../wallet/transfer.ts';
import { nextState, openingState, type PaymentEvent, type PaymentState, type StaffOverride } from './payment.ts';
import type { PaymentStore } from './payment-store.ts';
import { createRefundStore } from './refund-store.ts';

export interface Payment {
  id: number;
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

/** Locks an operation for the rest of the step. Payments know operations only by id. */
export type LockOperation = (step: Step, operation: number) => Promise<unknown>;

/** Payments, with their refunds. */
export function createPaymentStore(db: Database, clock: Clock, lockOperation: LockOperation): PaymentStore {
  return {
    async add(step: Step, payment: NewPayment): Promise<Payment> {
      const now = clock.now();
      const state = openingState(payment.reserveAccount !== null);
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
          status: state,
          held_at: state === 'hold' ? now : null,
          description: payment.description,
          redirect_url: payment.redirectUrl,
          request_key: payment.requestKey,
          saves_card: payment.savesCard ?? false,
          card_id: payment.card ?? null,
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

    async hasOpen(step: Step, user: number, exceptOperations: readonly number[]): Promise<boolean> {
      const row = await step.db
        .selectFrom('payments')
        .select('id')
        .where('user_id', '=', user)
        .where('closed_at', 'is', null)
        .where('status', 'in', ['pending', 'created', 'processing', 'hold'])
        .$if(exceptOperations.length > 0, (query) =>
          query.where((of) => of.or([of('operation_id', 'is', null), of('operation_id', 'not in', exceptOperations)])),
        )
        .executeTakeFirst();
      return row !== undefined;
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

    async lock(step: Step, id: number): Promise<Payment | null> {
      const of = await step.db.selectFrom('payments').select('operation_id').where('id', '=', id).executeTakeFirst();
      if (of?.operation_id) await lockOperation(step, of.operation_id);
      const row = await step.db
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row ? paymentOf(row) : null;
    },

    change: (step: Step, id: number, changes: PaymentChanges): Promise<Payment> => update(step, id, changes),

    async move(
      step: Step,
      { id, state }: Pick<Payment, 'id' | 'state'>,
      event: PaymentEvent | StaffOverride,
      changes: PaymentChanges = {},
    ): Promise<Payment | null> {
      const status = nextState(state, event);
      return status === null ? null : update(step, id, { ...changes, status });
    },

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

    async hasten(id: number): Promise<void> {
      await db
        .updateTable('payments')
        .set({ due_claim: sql<number>`due_claim + 1`, next_action_at: clock.now() })
        .where('id', '=', id)
        .execute();
    },

    async schedule(id: number, claim: number, nextActionAt: Date | null, changes: PaymentChanges = {}): Promise<void> {
      await db
        .updateTable('payments')
        .set({ ...changes, next_action_at: nextActionAt })
        .where('id', '=', id)
        .where('due_claim', '=', claim)
        .execute();
    },

    ...createRefundStore(db, clock),
  };
}

async function update(step: Step, id: number, changes: Updateable<Row>): Promise<Payment> {
  const row = await step.db
    .updateTable('payments')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return paymentOf(row);
}

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
