import type { Clock } from './clock.ts';
import type { Step } from './step.ts';
import type { UserTables } from './user-tables.ts';

/** What staff act on, each with its table. The product declares them by declaration merging (`seams.ts`). */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface AuditSubjects {}

/** What a staff member did, to which subject, with the state before and after. */
export interface StaffAction {
  staff: number;
  /** `payment.finalize`, `balance.increase` … */
  action: string;
  subject: { kind: keyof AuditSubjects; id: number };
  before?: object;
  after?: object;
  /**
   * Only for a call that moves money: a repeat of the same request after a crash finds this record and does nothing
   * again.
   */
  requestKey?: string;
}

export const auditUserTables: UserTables = {
  audit: {
    onUserMerged: 'kept: names the member of staff who acted, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who acted, and accounts of staff are not deleted',
  },
};

export type Audit = (step: Step, action: StaffAction) => Promise<void>;

/** The record is written in the step of the action, so neither exists without the other. */
export function createAudit(clock: Clock): Audit {
  return async (step, { staff, action, subject, before, after, requestKey }) => {
    await step.db
      .insertInto('audit')
      .values({
        staff_id: staff,
        action,
        subject_kind: subject.kind,
        subject_id: String(subject.id),
        before: before === undefined ? null : JSON.stringify(before),
        after: after === undefined ? null : JSON.stringify(after),
        request_key: requestKey ?? null,
        created_at: clock.now(),
      })
      .execute();
  };
}

/** The outcome that the first run of this request recorded; null when it has not run. */
export async function recordedOutcome(step: Step, requestKey: string): Promise<Record<string, unknown> | null> {
  const record = await step.db
    .selectFrom('audit')
    .select('after')
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  return record ? ((record.after ?? {}) as Record<string, unknown>) : null;
}
