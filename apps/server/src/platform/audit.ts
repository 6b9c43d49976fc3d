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
}

export type Audit = (step: Step, action: StaffAction) => Promise<void>;

/** Part of the step that does it: an action without its record, or a record without its action, cannot be. */
export function createAudit(clock: Clock): Audit {
  return async (step, { staff, action, subject, before, after }) => {
    await step.db
      .insertInto('audit')
      .values({
        staff_id: staff,
        action,
        subject_kind: subject.kind,
        subject_id: String(subject.id),
        before: before === undefined ? null : JSON.stringify(before),
        after: after === undefined ? null : JSON.stringify(after),
        created_at: clock.now(),
      })
      .execute();
  };
}
