import type { Kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import { sql, type Updateable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { defaultLeaseMs } from '../platform/due-work.ts';
import type { Payments as Row } from '../platform/generated/database.ts';
import type { Step } from '../platform/step.ts';
import type { Reserve } from '../wallet/transfer.ts';
import type { OperationPort } from './operation-port.ts';
import { nextState, openingState, type PaymentEvent, type PaymentState, type StaffOverride } from './payment.ts';
import type { PaymentEventsPort } from './payment-events-port.ts';
import { paymentOfRow } from './payment-row.ts';
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

interface Moved {
  from: PaymentState;
  to: PaymentState;
}

/** Everything but the status, which only `move` writes. */
export type PaymentChanges = Omit<Updateable<Row>, 'status'>;

/** What lists of operations show of a payment depends on these, and on the status. */
const shownColumns = ['captured', 'refunded', 'is_uncertain'] as const satisfies (keyof PaymentChanges)[];
/** Changes beside the next due time, which are written without the lock of the operation. */
export type PlannedChanges = PaymentChanges & { [Column in (typeof shownColumns)[number]]?: never };

interface Dependencies {
  db: Database;
  clock: Clock;
  operations: Pick<OperationPort, 'lock' | 'showPayment'>;
  events: PaymentEventsPort;
}

/** Payments, with their refunds. */
export function createPaymentStore({ db, clock, operations, events }: Dependencies): PaymentStore {
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
