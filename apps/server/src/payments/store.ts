import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { defaultLeaseMs } from '../platform/jobs/due-work.ts';
import type { Step } from '../platform/step.ts';
import type { Provider } from './bank-terms.ts';
import type { OperationPort } from './operation-port.ts';
import { nextState, openingState, type PaymentEvent, type PaymentState, type StaffOverride } from './payment.ts';
import type { PaymentEventsPort } from './payment-events-port.ts';
import {
  type NewPayment,
  type Payment,
  type PaymentChanges,
  type PlannedChanges,
  paymentOfRow,
  shownColumns,
} from './payment-row.ts';
import { createRefundStore, type RefundStore } from './settlement/refund-store.ts';

/** Payments with their refunds. Refuses nothing. */
export interface PaymentStore extends RefundStore {
  add(step: Step, payment: NewPayment): Promise<Payment>;
  find(id: number): Promise<Payment | null>;
  ofOperation(operation: number, from?: Database | Step['db']): Promise<Payment | null>;
  byInvoice(invoice: string): Promise<Payment | null>;
  byRequest(requestKey: string, from?: Database | Step['db']): Promise<Payment | null>;
  lastTopUp(user: number): Promise<Payment | null>;
  /** Whether the user has an open payment, other than for these operations. */
  hasOpen(step: Step, user: number, exceptOperations: readonly number[]): Promise<boolean>;
  /**
   * No other step changes it until this one ends. Locked before any account, and after its operation: a step of a charge has
   * the operation already when it comes to the payment, so with another order the two would wait for each other.
   */
  lock(step: Step, id: number): Promise<Payment | null>;
  change(step: Step, id: number, changes: PaymentChanges): Promise<Payment>;
  /**
   * The only way a payment changes its status: along the table of `payment.ts`. Null when the table has no such transition;
   * then nothing is written. The caller's step has locked the row.
   */
  move(
    step: Step,
    payment: Pick<Payment, 'id' | 'state'>,
    event: PaymentEvent | StaffOverride,
    changes?: PaymentChanges,
  ): Promise<Payment | null>;
  /** Claims the row's next step for this process at once. The earlier claim becomes void. */
  claim(id: number): Promise<number>;
  /**
   * Something may have happened at the bank, so the status is read now. A read in progress may be too early, so it
   * loses its claim.
   */
  hasten(id: number): Promise<void>;
  /** Sets the next due time, unless the claim was lost. */
  schedule(id: number, claim: number, nextActionAt: Date | null, changes?: PlannedChanges): Promise<void>;
}

interface Moved {
  from: PaymentState;
  to: PaymentState;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  /** The bank of new payments. */
  provider: Provider;
  operations: Pick<OperationPort, 'lock' | 'showPayment'>;
  events: PaymentEventsPort;
}

/** Payments, with their refunds. */
export function createPaymentStore({ db, clock, provider, operations, events }: Dependencies): PaymentStore {
  async function update(step: Step, id: number, changes: PaymentChanges, moved?: Moved): Promise<Payment> {
    // Only a sum that may have risen is compared with the sum before.
    const refunded = changes.refunded === undefined ? null : await refundedOf(step, id);
    const row = await step.db
      .updateTable('payments')
      .set(moved ? { ...changes, status: moved.to } : changes)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const payment = paymentOfRow(row);
    if (moved || shownColumns.some((column) => changes[column] !== undefined)) await show(step, payment);
    if (payment.operation === null || (refunded === null && moved === undefined)) return payment;
    const before = { state: moved?.from ?? payment.state, refunded: refunded ?? payment.refunded };
    const { operation, state } = payment;
    await events.paymentChanged(step, { operation, before, state, refunded: payment.refunded });
    return payment;
  }

  async function show(step: Step, { operation, holdStatus, captured, refunded }: Payment): Promise<void> {
    if (operation !== null) await operations.showPayment(step, operation, { holdStatus, paid: captured - refunded });
  }

  async function refundedOf(step: Step, id: number): Promise<number> {
    const row = await step.db.selectFrom('payments').select('refunded').where('id', '=', id).executeTakeFirstOrThrow();
    return row.refunded;
  }

  return {
    async add(step: Step, payment: NewPayment): Promise<Payment> {
      const now = clock.now();
      const state = openingState(payment.reserveAccount !== null);
      const row = await step.db
        .insertInto('payments')
        .values({
          provider,
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
      const added = paymentOfRow(row);
      await show(step, added);
      return added;
    },

    async find(id: number): Promise<Payment | null> {
      const row = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? paymentOfRow(row) : null;
    },

    async ofOperation(operation: number, from: Database | Step['db'] = db): Promise<Payment | null> {
      const row = await from
        .selectFrom('payments')
        .selectAll()
        .where('operation_id', '=', operation)
        .executeTakeFirst();
      return row ? paymentOfRow(row) : null;
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
      return row ? paymentOfRow(row) : null;
    },

    async byRequest(requestKey: string, from: Database | Step['db'] = db): Promise<Payment | null> {
      const row = await from
        .selectFrom('payments')
        .selectAll()
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      return row ? paymentOfRow(row) : null;
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
      return row ? paymentOfRow(row) : null;
    },

    async lock(step: Step, id: number): Promise<Payment | null> {
      const of = await step.db.selectFrom('payments').select('operation_id').where('id', '=', id).executeTakeFirst();
      if (of?.operation_id) await operations.lock(step, of.operation_id);
      const row = await step.db
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row ? paymentOfRow(row) : null;
    },

    change: (step: Step, id: number, changes: PaymentChanges): Promise<Payment> => update(step, id, changes),

    async move(
      step: Step,
      { id, state }: Pick<Payment, 'id' | 'state'>,
      event: PaymentEvent | StaffOverride,
      changes: PaymentChanges = {},
    ): Promise<Payment | null> {
      const status = nextState(state, event);
      return status === null ? null : update(step, id, changes, { from: state, to: status });
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

    async schedule(id: number, claim: number, nextActionAt: Date | null, changes: PlannedChanges = {}): Promise<void> {
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
