import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Step } from './step.ts';
import type { UserTables } from './user-tables.ts';

/** What staff act on, each with its table. The product declares them by declaration merging (`seams.ts`). */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface AuditSubjects {}

/** Who acts: a staff member, the operator's command line, or a job. */
export type AuditActor = 'staff' | 'command line' | 'job';

/** What somebody did on the side of the network, to which subject, with the state before and after. */
export interface StaffAction {
  /** Null on the command line. For a job the staff member on whose behalf it runs. */
  staff: number | null;
  /** A staff member, unless it says otherwise. */
  by?: AuditActor;
  /** `payment.finalize`, `balance.increase` … */
  action: string;
  subject: { kind: keyof AuditSubjects; id: number };
  before?: object;
  after?: object;
  /**
   * Text that somebody typed, and values about a person. They stand apart and are erased with the account of `person`,
   * so `before` and `after` have none of them.
   */
  personal?: object;
  /** Whose values `personal` has; the subject when it is a user. */
  person?: number;
  /** Why, as the staff member said it; null when they did not. Without the field the action asks for no reason. */
  reason?: string | null;
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
  audit_personal: {
    onUserMerged: 'kept: joined_id of the guest leads to the account, with which the values are erased',
    /** The product's role may not change the audit; this function erases values of deleted accounts only. */
    async onUserDeleted(step, user) {
      await sql`select forget_audit(${user})`.execute(step.db);
    },
  },
};

export type Audit = (step: Step, action: StaffAction) => Promise<void>;

/** The record is written in the step of the action, so neither exists without the other. */
export function createAudit(clock: Clock): Audit {
  return async (step, action) => {
    await insertRecord(step.db, clock.now(), action);
    step.afterCommit(() => {
      const call = calls.getStore();
      call?.records.push(`${action.action} ${action.subject.kind} ${action.subject.id}`);
    });
  };
}

/**
 * One statement, so that a record that is written once per hour costs one round trip. The hash of the row and of its
 * personal part joins the chain when the transaction commits.
 */
export async function insertRecord(db: Database | Step['db'], at: Date, action: StaffAction): Promise<void> {
  const { staff, by = 'staff', subject, before, after, requestKey } = action;
  const personal = withReason(action);
  const person = action.person ?? (subject.kind === ('user' as string) ? subject.id : null);
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  await sql`
    with record as (
      insert into audit (actor, staff_id, action, subject_kind, subject_id, before, after, request_key, created_at)
      values (${by}, ${staff}, ${action.action}, ${subject.kind}, ${String(subject.id)}, ${json(before)}::jsonb,
        ${json(after)}::jsonb, ${requestKey ?? null}, ${at})
      ${onceOnly(action) ? sql`on conflict (request_key) where request_key is not null do nothing` : sql``}
      returning id)
    insert into audit_personal (audit_id, user_id, salt, "values")
    select id, ${person}::bigint, ${randomBytes(16)}, ${json(personal)}::jsonb from record
    where ${personal !== undefined}`.execute(db);
}

/** A reason is typed text about a person, so it stands with the personal values. */
function withReason({ personal, reason }: StaffAction): object | undefined {
  return reason === undefined ? personal : { ...personal, reason: reason?.trim() || null };
}

/** A record of reading is not repeated within its hour; that of a change never meets its own key. */
const onceOnly = ({ action }: StaffAction): boolean => action.startsWith('read.');

/** The outcome that the first run of this request recorded; null when it has not run. */
export async function recordedOutcome(step: Step, requestKey: string): Promise<Record<string, unknown> | null> {
  const record = await step.db
    .selectFrom('audit')
    .select('after')
    .where('request_key', '=', requestKey)
    .executeTakeFirst();
  if (record) noRecord('repeated');
  return record ? ((record.after ?? {}) as Record<string, unknown>) : null;
}

interface StaffCall {
  records: string[];
  isExcused: boolean;
}

const calls = new AsyncLocalStorage<StaffCall>();

/**
 * Says why the present call of a staff member writes no record: it changes nothing, or an earlier run of the same request
 * has written it.
 */
export function noRecord(_why: 'unchanged' | 'repeated'): void {
  const call = calls.getStore();
  if (call) call.isExcused = true;
}

/**
 * Runs the handler of a call that changes something for staff, and fails when it leaves no record, or the same one twice.
 * Outside production every such call is run by it, so an action without a record is found by the first test that uses it.
 */
export async function withRecord<T>(name: string, handler: () => Promise<T>): Promise<T> {
  const call: StaffCall = { records: [], isExcused: false };
  const result = await calls.run(call, handler);
  const { records, isExcused } = call;
  if (records.length === 0 && !isExcused) throw new Error(`${name} left no record in the audit`);
  if (new Set(records).size < records.length) throw new Error(`${name} left a record twice: ${records.join(', ')}`);
  return result;
}
