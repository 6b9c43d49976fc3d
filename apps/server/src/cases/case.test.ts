import { type CaseState, caseStates } from '@fpay/contract/admin/cases';
import { expect, test } from 'vitest';
import {
  actionsIn,
  type CaseStepName,
  caseAfter,
  caseSubjectOf,
  isSnoozeTime,
  nextCaseState,
  sourceOfFeedback,
} from './case.ts';

test.each<
  [
    step: CaseStepName,
    open: CaseState | null,
    waiting: CaseState | null,
    snoozed: CaseState | null,
    closed: CaseState | null,
  ]
>([
  ['driver_wrote', 'open', 'open', 'open', 'open'],
  ['answer', 'waiting', 'waiting', 'waiting', null],
  ['note', 'open', 'waiting', 'snoozed', 'closed'],
  ['assign', 'open', 'waiting', 'snoozed', null],
  ['snooze', 'snoozed', 'snoozed', 'snoozed', null],
  ['wake', null, null, 'open', null],
  ['close', 'closed', 'closed', 'closed', null],
  ['reopen', null, null, null, 'open'],
])('%s: an open case becomes %s, a waiting one %s, a snoozed one %s, a closed one %s', (step, ...after) => {
  expect(caseStates.map((state) => nextCaseState(state, step))).toEqual(after);
});

test('staff are offered what the state allows', () => {
  expect(actionsIn('open')).toEqual(['answer', 'note', 'assign', 'snooze', 'close']);
  expect(actionsIn('closed')).toEqual(['note', 'reopen']);
});

const now = new Date('2026-11-15T12:00:00Z');
test.each([
  ['2026-11-15T12:00:00Z', false],
  ['2026-11-15T12:00:01Z', true],
  ['2026-11-15T11:00:00Z', false],
  ['2026-12-15T12:00:00Z', true],
  ['2026-12-15T12:00:01Z', false],
])('a case can be put off until %s: %s', (until, isAllowed) => {
  expect(isSnoozeTime(new Date(until), now)).toBe(isAllowed);
});

test.each([
  [null, null],
  ['  ', null],
  ['Кабель не виймається', 'Кабель не виймається'],
  ['Екран  погас\nстою вже 10 хвилин', 'Екран погас'],
  [
    'Екран станції погас посеред зарядки, кабель не виймається. Стою вже 10 хвилин і не можу поїхати',
    'Екран станції погас посеред зарядки, кабель не виймається. Стою вже 10 хвилин і…',
  ],
  ['x'.repeat(90), `${'x'.repeat(80)}…`],
  [`${'x'.repeat(79)}😀😀`, `${'x'.repeat(79)}…`],
])('%j has the subject %j', (text, subject) => {
  expect(caseSubjectOf(text)).toBe(subject);
});

test('feedback on a charge that did not work is a report', () => {
  expect([sourceOfFeedback(true), sourceOfFeedback(false)]).toEqual(['report', 'rating']);
});

const [earlier, later] = [new Date('2026-11-15T11:50:00Z'), new Date('2026-11-16T07:00:00Z')];
const openCase = {
  state: 'open',
  waiting_since: earlier,
  first_answer_at: null,
  snoozed_until: null,
  closed_at: null,
} as const;
const none = { snoozed_until: null, closed_at: null, next_action_at: null };
const snoozed = { ...openCase, state: 'snoozed', snoozed_until: later } as const;
const closed = { ...openCase, state: 'closed', waiting_since: null, closed_at: earlier } as const;

test.each([
  [
    'an answer ends the wait and is the first one',
    openCase,
    'answer',
    { state: 'waiting', waiting_since: null, first_answer_at: now, ...none },
  ],
  [
    'a second answer leaves the time of the first',
    { ...openCase, first_answer_at: earlier },
    'answer',
    { state: 'waiting', waiting_since: null, first_answer_at: earlier, ...none },
  ],
  [
    'a call that no driver waits for has no first answer',
    { ...openCase, waiting_since: null },
    'answer',
    { state: 'waiting', waiting_since: null, first_answer_at: null, ...none },
  ],
  [
    'a driver who writes again has waited since the first message',
    openCase,
    'driver_wrote',
    { state: 'open', waiting_since: earlier, first_answer_at: null, ...none },
  ],
  [
    'what a driver writes ends the snooze',
    snoozed,
    'driver_wrote',
    { state: 'open', waiting_since: earlier, first_answer_at: null, ...none },
  ],
  [
    'a note leaves a case asleep',
    snoozed,
    'note',
    {
      state: 'snoozed',
      waiting_since: earlier,
      first_answer_at: null,
      closed_at: null,
      snoozed_until: later,
      next_action_at: later,
    },
  ],
  [
    'a snoozed case comes back',
    snoozed,
    'wake',
    { state: 'open', waiting_since: earlier, first_answer_at: null, ...none },
  ],
  [
    'the end is the end of the wait',
    openCase,
    'close',
    { state: 'closed', waiting_since: null, first_answer_at: null, ...none, closed_at: now },
  ],
  [
    'a driver who writes opens a closed case',
    closed,
    'driver_wrote',
    { state: 'open', waiting_since: now, first_answer_at: null, ...none },
  ],
  ['a closed case is not answered', closed, 'answer', null],
] as const)('%s', (_title, before, step, after) => {
  expect(caseAfter(before, step, now)).toEqual(after);
});

test('a snooze is due at its end', () => {
  expect(caseAfter(openCase, 'snooze', now, later)).toMatchObject({
    state: 'snoozed',
    snoozed_until: later,
    next_action_at: later,
  });
});
