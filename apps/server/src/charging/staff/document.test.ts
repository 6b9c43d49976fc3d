import { readFileSync } from 'node:fs';
import { operationStatuses } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll, sliceOf } from '../../testing/slice.ts';
import { staffActions } from '../testing/staff-actions.ts';
import {
  outcomesIn,
  runStaffActions,
  type StaffRun,
  staffActionsDocument,
  staffOutcome,
  staffRunName,
} from '../testing/staff-document.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

const file = new URL('../../../../../docs/staff-actions.md', import.meta.url).pathname;
/** Without `TEST_ALL=1` the commit chooses two of the states, beside the one in which the bank owes an answer. */
const owed = 'pending_final_payment';
const others = operationStatuses.filter((status) => status !== owed);
const chosen = sliceOf('states of staff actions', others, 2 / others.length);
const states = operationStatuses.filter((status) => status === owed || chosen.includes(status));

/** Every corrective action in every state of the machine, with the bank behind it and the ledger checked after each. */
let subjects: Awaited<ReturnType<typeof openStaffActions>>;
let runs: StaffRun[];
beforeAll(async () => {
  subjects = await openStaffActions();
  runs = await runStaffActions(subjects, states);
}, 560_000);
afterAll(() => subjects.close());

test('docs/staff-actions.md says what the runs did', async () => {
  if (runsAll) return expect(staffActionsDocument(runs)).toMatchFileSnapshot(file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(staffActionsDocument([]).trimEnd());
  const said = outcomesIn(text);
  expect(runs.map((run) => [staffRunName(run), said.get(staffRunName(run))])).toEqual(
    runs.map((run) => [staffRunName(run), staffOutcome(run)]),
  );
});

test('every action ran in every state', () => {
  for (const action of Object.keys(staffActions)) {
    const seen = new Set(runs.filter((run) => run.action === action).map(({ status }) => status));
    expect([action, seen.size]).toEqual([action, states.length]);
  }
});

test('a refused action changes nothing', () => {
  const nothing = { operation: 'same', payment: 'same', ledger: 'same', station: '-' };
  const refused = runs.filter(({ refusal }) => refusal !== null);
  expect(refused.length).toBeGreaterThan(runsAll ? 100 : 10);
  for (const { action, status, effects } of refused)
    expect({ action, status, effects }).toEqual({ action, status, effects: nothing });
});

test('the ledger check lists none of them [MACH-16]', () => {
  const listed = runs.filter(({ faults }) => faults.length > 0).map(({ action, status }) => `${action}: ${status}`);
  expect(listed).toEqual([]);
});

test('a capture that the bank refuses for now is tried again at once by finalize, and by a forced end [ADM-OP-21]', () => {
  const of = (action: string) =>
    runs.find((run) => run.action === action && run.status === 'pending_final_payment')?.effects;
  const captured = { payment: 'hold → success, captured 0.00 → 1.50', ledger: 'capture 1.50' };
  expect(of('finalize with the total')).toMatchObject(captured);
  expect(of('force status finished')).toMatchObject(captured);
});

test('what staff give up at the final payment is a loss in the operation and in the ledger', () => {
  const of = (action: string) =>
    runs.find((run) => run.action === action && run.status === 'pending_final_payment')?.effects;
  expect(of('finalize below the total')).toMatchObject({
    operation: 'pending_final_payment → finished, lost 0.00 → 0.50',
    ledger: 'capture 1.00, lost 0.50',
  });
  expect(of('cancel hold')).toMatchObject({
    operation: 'pending_final_payment → finished, lost 0.00 → 1.50',
    ledger: 'lost 1.50',
  });
});
