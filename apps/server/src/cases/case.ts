import type { CaseAction, CaseState } from '@fpay/contract/admin/cases';
import { caseActions, longestSnoozeDays } from '@fpay/contract/admin/cases';

/** What happens to a case: what staff do, a message of the driver, and the end of a snooze. */
export type CaseStepName = CaseAction | 'driver_wrote' | 'wake';

/** The state after each step. A step that is missing is refused. */
const transitions = {
  open: {
    driver_wrote: 'open',
    answer: 'waiting',
    note: 'open',
    assign: 'open',
    snooze: 'snoozed',
    close: 'closed',
  },
  waiting: {
    driver_wrote: 'open',
    answer: 'waiting',
    note: 'waiting',
    assign: 'waiting',
    snooze: 'snoozed',
    close: 'closed',
  },
  snoozed: {
    driver_wrote: 'open',
    wake: 'open',
    answer: 'waiting',
    note: 'snoozed',
    assign: 'snoozed',
    snooze: 'snoozed',
    close: 'closed',
  },
  // What the driver writes after the end opens the case again, because staff do not look into closed ones.
  closed: { driver_wrote: 'open', note: 'closed', reopen: 'open' },
} as const satisfies Record<CaseState, Partial<Record<CaseStepName, CaseState>>>;

/** Null: the case does not allow it in this state. */
export function nextCaseState(state: CaseState, step: CaseStepName): CaseState | null {
  const allowed: Partial<Record<CaseStepName, CaseState>> = transitions[state];
  return allowed[step] ?? null;
}

/** The columns that follow from the state. */
export interface CaseTimes {
  state: CaseState;
  waiting_since: Date | null;
  first_answer_at: Date | null;
  snoozed_until: Date | null;
  closed_at: Date | null;
  next_action_at: Date | null;
}

/**
 * A case after a step; null when its state does not allow it. The driver waits from the first message without an answer.
 * The time to the first answer counts only where a driver waited for it.
 */
export function caseAfter(
  before: Pick<CaseTimes, 'state' | 'waiting_since' | 'first_answer_at' | 'snoozed_until' | 'closed_at'>,
  step: CaseStepName,
  now: Date,
  until: Date | null = before.snoozed_until,
): CaseTimes | null {
  const state = nextCaseState(before.state, step);
  if (state === null) return null;
  const hasAnswer = step === 'answer' || step === 'close';
  const isFirst = step === 'answer' && before.waiting_since !== null;
  const waiting = step === 'driver_wrote' ? (before.waiting_since ?? now) : before.waiting_since;
  return {
    state,
    waiting_since: hasAnswer ? null : waiting,
    first_answer_at: before.first_answer_at ?? (isFirst ? now : null),
    snoozed_until: state === 'snoozed' ? until : null,
    closed_at: state === 'closed' ? (before.closed_at ?? now) : null,
    next_action_at: state === 'snoozed' ? until : null,
  };
}

/** What staff may do with a case in this state. */
export const actionsIn = (state: CaseState): CaseAction[] =>
  caseActions.filter((action) => nextCaseState(state, action) !== null);

const dayMs = 24 * 3_600_000;

/** A case is put off until a later time within a limit, because a case must not be forgotten. */
export function isSnoozeTime(until: Date, now: Date): boolean {
  const ms = until.getTime() - now.getTime();
  return ms > 0 && ms <= longestSnoozeDays * dayMs;
}

const longestSubject = 80;

/** The beginning of what the driver wrote, as the line of a list. */
export function caseSubjectOf(text: string | null): string | null {
  const line = text?.trim().split(/\s*\n/)[0]?.replace(/\s+/g, ' ') ?? '';
  if (line === '') return null;
  if (line.length <= longestSubject) return line;
  const cut = line.slice(0, longestSubject);
  // A cut in the middle of a surrogate pair would leave a half that cannot be stored.
  const whole = /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
  return `${whole.replace(/\s+\S*$/, '') || whole}…`;
}

/** A rating below 3 is a bad one; a charge that did not work is reported instead of rated. */
export function sourceOfFeedback(hasFailed: boolean): 'report' | 'rating' {
  return hasFailed ? 'report' : 'rating';
}
