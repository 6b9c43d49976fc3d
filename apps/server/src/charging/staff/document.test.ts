import { operationStatuses } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffActions } from '../testing/staff-actions.ts';
import { runStaffActions, type StaffRun, staffActionsDocument } from '../testing/staff-document.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/** Every corrective action in every state of the machine, with the bank behind it and the ledger checked after each. */
let subjects: Awaited<ReturnType<typeof openStaffActions>>;
let runs: StaffRun[];
beforeAll(async () => {
  subjects = await openStaffActions();
  runs = await runStaffActions(subjects);
}, 560_000);
afterAll(() => subjects.close());

test('docs/staff-actions.md says what the runs did', async () => {
  const file = new URL('../../../../../docs/staff-actions.md', import.meta.url).pathname;
  await expect(staffActionsDocument(runs)).toMatchFileSnapshot(file);
});

test('every action ran in every state', () => {
  for (const action of Object.keys(staffActions)) {
    const states = new Set(runs.filter((run) => run.action === action).map(({ status }) => status));
    expect([action, states.size]).toEqual([action, operationStatuses.length]);
  }
});

test('a refused action changes nothing', () => {
  const nothing = { operation: 'same', payment: 'same', ledger: 'same', station: '-' };
  const refused = runs.filter(({ refusal }) => refusal !== null);
  expect(refused.length).toBeGreaterThan(100);
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
