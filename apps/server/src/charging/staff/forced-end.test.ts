import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffActions } from '../testing/staff-actions.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/** Staff force an end while the bank does not do its part. */
let subjects: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  subjects = await openStaffActions();
});
afterAll(() => subjects.close());

const dayMs = 86_400_000;

test('a capture that keeps failing after a forced end is no fault, and a loss when the hold has ended', async () => {
  const subject = await subjects.subjectIn('pending_final_payment', 'card');
  await subjects.switchBank({ finalize: 'error500' });
  await staffActions['force status finished']?.(subjects, subject);
  await subjects.settleAtBank(subject.user);
  expect(await subjects.stateOf(subject)).toMatchObject({ status: 'finished', payment: 'hold', lost: 0 });
  expect(await subjects.faults()).toEqual([]);
  subjects.advance(9 * dayMs);
  await subjects.settleAtBank(subject.user);
  await subjects.settleAtBank(subject.user);
  const state = await subjects.stateOf(subject);
  expect(state).toMatchObject({ status: 'finished', lost: 1_50, captured: 0 });
  expect(state.transfers.at(-1)).toEqual(['lost', 1_50]);
  expect(await subjects.faults()).toEqual([]);
});

test('nothing can wait for a payment that is final, or for none', async () => {
  const settled = await subjects.subjectIn('finished', 'card');
  const free = await subjects.subjectIn('finished', 'free');
  const wait = staffActions['force status pending_final_payment'];
  await expect(wait?.(subjects, settled)).rejects.toMatchObject({ code: 'payment_final' });
  await expect(wait?.(subjects, free)).rejects.toMatchObject({ code: 'payment_not_held' });
});
