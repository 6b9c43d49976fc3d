import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

/** What does not add up. Each kind is one question staff has to answer. */
export type AnomalyKind =
  /** Money at the bank that no payment of ours knows. */
  | 'orphan_hold'
  | 'orphan_payment'
  /** The bank took money that our books do not have, or the other way round. */
  | 'missing_capture'
  | 'not_in_statement'
  | 'amount_mismatch'
  /** Money went back that we did not send back. */
  | 'chargeback'
  /** The same of a top-up: the user may have spent it already. Details name the user, what was taken and what is lost. */
  | 'top_up_chargeback'
  /** The nightly check of the books found something. */
  | 'ledger_fault'
  /** The bank kept something: one a day, with the sum. */
  | 'bank_fee'
  /** The clearing account and the statement differ for the day. */
  | 'clearing_mismatch'
  /** A hold is about to end and nothing has been asked of the bank. */
  | 'hold_ending'
  | 'refund_refused';

export interface Anomaly {
  kind: AnomalyKind;
  /** Names the matter, so that it is listed once however often it is found. */
  subject: string;
  payment?: number;
  details: Record<string, unknown>;
}

export function createAnomalies(db: Database, clock: Clock) {
  return {
    async note(step: Step | { db: Database }, { kind, subject, payment, details }: Anomaly): Promise<void> {
      await step.db
        .insertInto('money_anomalies')
        .values({ kind, subject, payment_id: payment ?? null, details: JSON.stringify(details), found_at: clock.now() })
        .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
        .execute();
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

export type Anomalies = ReturnType<typeof createAnomalies>;
