import { type Kopecks, kopecks } from '@fpay/contract/money';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Refunds as RefundRow } from '../../platform/generated/database.ts';
import type { Step } from '../../platform/step.ts';

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
  /** As staff said it; the driver reads it. */
  reason: string | null;
}

export interface NewRefundRow {
  payment: number;
  amount: Kopecks;
  staff: number | null;
  /** The transfer of the top-up that this refund reverses. */
  reverses: number | null;
  reason: string | null;
}

export interface RefundStore {
  /** Open and successful refunds of a payment. */
  refunds(payment: number, from?: Database | Step['db']): Promise<Refund[]>;
  addRefund(step: Step, refund: NewRefundRow): Promise<Refund>;
  findRefund(id: number): Promise<Refund | null>;
  lockRefund(step: Step, id: number): Promise<Refund | null>;
  changeRefund(step: Step, id: number, changes: Updateable<RefundRow>): Promise<void>;
  /** Sets the next due time, unless the claim was lost. */
  scheduleRefund(id: number, claim: number, nextActionAt: Date, changes?: Updateable<RefundRow>): Promise<void>;
}

/** The refunds of payments. They are a part of the payment store. */
export function createRefundStore(db: Database, clock: Clock): RefundStore {
  return {
    async refunds(payment: number, from: Database | Step['db'] = db): Promise<Refund[]> {
      const rows = await from
        .selectFrom('refunds')
        .selectAll()
        .where('payment_id', '=', payment)
        .orderBy('id')
        .execute();
      return rows.map(refundOf);
    },

    async addRefund(step: Step, refund: NewRefundRow): Promise<Refund> {
      const row = await step.db
        .insertInto('refunds')
        .values({
          payment_id: refund.payment,
          amount: refund.amount,
          ext_ref: sql<string>`'fpay-refund-' || gen_random_uuid()`,
          staff_id: refund.staff,
          reverses_id: refund.reverses,
          reason: refund.reason,
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

function refundOf(row: Selectable<RefundRow>): Refund {
  return {
    id: row.id,
    payment: row.payment_id,
    amount: kopecks(row.amount),
    extRef: row.ext_ref,
    status: row.status,
    rrn: row.rrn,
    tries: row.tries,
    staff: row.staff_id,
    reason: row.reason,
  };
}
