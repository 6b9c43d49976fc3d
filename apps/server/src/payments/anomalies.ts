import type { Selectable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { MoneyAnomalies } from '../platform/generated/database.ts';
import type { Step, Steps } from '../platform/step.ts';

/** What does not add up and is listed for staff. */
export interface Anomalies {
  /** Lists it once: the same kind and subject are not listed again. */
  note(step: Step | { db: Database }, anomaly: PaymentAnomaly): Promise<void>;
  /** False: there is no such anomaly, or it is resolved already. */
  resolve(step: Step, id: number): Promise<boolean>;
  open(page: { before?: number; limit: number }): Promise<Selectable<MoneyAnomalies>[]>;
}

/** Inconsistencies. Each kind is one question that staff must answer. */
export type PaymentAnomalyKind =
  /** Money at the bank that belongs to no payment of ours. */
  | 'orphan_hold'
  | 'orphan_payment'
  /** The bank captured money that our books do not have, or the other way round. */
  | 'missing_capture'
  | 'not_in_statement'
  | 'amount_mismatch'
  /** Money was returned without our request. */
  | 'chargeback'
  /**
   * The same for a top-up: the user may have spent it already. The details have the user, what was taken and what is
   * lost.
   */
  | 'top_up_chargeback'
  /** The nightly check of the books found a fault. */
  | 'ledger_fault'
  /** A record of the audit was changed or removed. */
  | 'audit_fault'
  /** The bank kept a fee: one a day, with the sum. */
  | 'bank_fee'
  /** The clearing account and the statement differ for the day. */
  | 'clearing_mismatch'
  /** A hold is about to expire and no call to the bank was requested. */
  | 'hold_ending'
  | 'refund_refused';

export interface PaymentAnomaly {
  kind: PaymentAnomalyKind;
  /** Identifies the anomaly, so that it is listed once however often it is found. */
  subject: string;
  payment?: number;
  details: Record<string, unknown>;
}

/** Gets an anomaly about somebody's payment, in the step that lists it. */
export type AnomalyListener = (
  step: Step,
  anomaly: { kind: PaymentAnomalyKind; user: number; operation: number | null },
) => Promise<void>;

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  listed: AnomalyListener;
}

export function createAnomalies({ db, steps, clock, listed }: Dependencies): Anomalies {
  async function add(step: Step, { kind, subject, payment, details }: PaymentAnomaly): Promise<void> {
    const { numInsertedOrUpdatedRows: added } = await step.db
      .insertInto('money_anomalies')
      .values({ kind, subject, payment_id: payment ?? null, details: JSON.stringify(details), found_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
      .executeTakeFirst();
    step.publish('staff-list', 'anomalies');
    if (!added || payment === undefined) return;
    const row = await step.db
      .selectFrom('payments')
      .select(['user_id', 'operation_id'])
      .where('id', '=', payment)
      .executeTakeFirst();
    if (row) await listed(step, { kind, user: row.user_id, operation: row.operation_id });
  }

  return {
    note: (step: Step | { db: Database }, anomaly: PaymentAnomaly): Promise<void> =>
      'publish' in step ? add(step, anomaly) : steps.run((own) => add(own, anomaly)),

    async resolve(step: Step, id: number): Promise<boolean> {
      const resolved = await step.db
        .updateTable('money_anomalies')
        .set({ resolved_at: clock.now() })
        .where('id', '=', id)
        .where('resolved_at', 'is', null)
        .executeTakeFirst();
      if (resolved.numUpdatedRows > 0n) step.publish('staff-list', 'anomalies');
      return resolved.numUpdatedRows > 0n;
    },

    open: (page: { before?: number; limit: number }) =>
      db
        .selectFrom('money_anomalies')
        .selectAll()
        .where('resolved_at', 'is', null)
        .where('id', '<', page.before ?? Number.MAX_SAFE_INTEGER)
        .orderBy('id', 'desc')
        .limit(page.limit)
        .execute(),
  };
}
