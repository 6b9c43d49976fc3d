import type { Clock } from './clock.ts';
import type { Step } from './step.ts';

/** What a staff member did, to whom, and how things stood before and after. */
export interface StaffAction {
  staff: number;
  /** `payment.finalize`, `balance.increase` … */
  action: string;
  subject: { kind: 'user' | 'operation' | 'payment' | 'transaction'; id: number };
  before?: object;
  after?: object;
  /** Of a call that moves money: the same request, repeated after a crash, finds this record and does nothing again. */
  requestKey?: string;
}

export type Audit = (step: Step, action: StaffAction) => Promise<void>;

/** Part of the step that does it: an action without its record, or a record without its action, cannot be. */
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

/** What this request left behind the first time; null: it has not been done. */
export async function recordedOutcome(step: Step, requestKey: string): Promise<Record<string, unknown> | null> {
  const record = await step.db
    .selectFrom('audit')
    .select('after')
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  return record ? ((record.after ?? {}) as Record<string, unknown>) : null;
}
