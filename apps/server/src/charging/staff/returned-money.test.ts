import { randomUUID } from 'node:crypto';
import { kopecks, wattHours } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StaffSubject, staffActions } from '../testing/staff-actions.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/** What went back once is not there to go back again, whatever the order of the ways back. */
let subjects: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  subjects = await openStaffActions();
});
afterAll(() => subjects.close());

const total = 1_50;
const deposited = 1000_00;

const act = (name: string, subject: StaffSubject) =>
  staffActions[name]?.(subjects, { ...subject, requestKey: randomUUID() });
const reverse = (subject: StaffSubject) => act('cancel transaction with return', subject);
const setEnergy = (subject: StaffSubject, energy: number) =>
  subjects.features.charging.staff.act(
    { ...subject, requestKey: randomUUID() },
    { action: 'force_energy', energy: wattHours(energy), update_total: true },
  );

/** What the operation has left of its earnings, and the wallet of its driver. */
async function moneyOf({ operation, user }: StaffSubject) {
  const { rows } = await sql<{ earned: number; balance: number }>`
    select coalesce((select balance from accounts where kind = 'earned' and operation_id = ${operation}), 0) as earned,
      (select a.balance from users u join accounts a on a.id = u.wallet_id where u.id = ${user}) as balance`.execute(
    subjects.db,
  );
  return rows[0];
}

test('a reversed charge is not returned again by a lower energy [PAY-35]', async () => {
  const subject = await subjects.subjectIn('finished', 'balance');
  expect(await moneyOf(subject)).toEqual({ earned: total, balance: deposited - total });
  await reverse(subject);
  expect(await moneyOf(subject)).toEqual({ earned: 0, balance: deposited });
  await setEnergy(subject, 0);
  expect(await moneyOf(subject)).toEqual({ earned: 0, balance: deposited });
  expect(await subjects.stateOf(subject)).toMatchObject({ total: 0, lost: 0 });
  expect(await subjects.faults()).toEqual([]);
});

test('a reversal and a lower energy at the same moment return the charge once [PAY-35]', async () => {
  for (let round = 0; round < 5; round += 1) {
    const subject = await subjects.subjectIn('finished', 'balance');
    await Promise.allSettled([reverse(subject), setEnergy(subject, 0)]);
    expect(await moneyOf(subject)).toEqual({ earned: 0, balance: deposited });
  }
  expect(await subjects.faults()).toEqual([]);
});

test('what a correction has returned is missing from the reversal after it', async () => {
  const subject = await subjects.subjectIn('finished', 'balance');
  await setEnergy(subject, 60);
  expect(await moneyOf(subject)).toEqual({ earned: 90, balance: deposited - 90 });
  await reverse(subject);
  expect(await moneyOf(subject)).toEqual({ earned: 0, balance: deposited });
  await expect(reverse(subject)).rejects.toMatchObject({ code: 'already_reversed' });
  expect(await subjects.faults()).toEqual([]);
});

test('a total that rises after a reversal takes only the difference, and that can go back', async () => {
  const subject = await subjects.subjectIn('finished', 'balance');
  await reverse(subject);
  await setEnergy(subject, 200);
  expect(await moneyOf(subject)).toEqual({ earned: 1_50, balance: deposited - 1_50 });
  await setEnergy(subject, 20);
  expect(await moneyOf(subject)).toEqual({ earned: 0, balance: deposited });
  expect(await subjects.faults()).toEqual([]);
});

test('a reward is at most what the charge has left, and what it took cannot be refunded [PAY-35]', async () => {
  const { wallet } = subjects.features;
  for (const paidBy of ['card', 'balance'] as const) {
    const subject = await subjects.subjectIn('finished', paidBy);
    const { user, operation } = subject;
    const before = (await moneyOf(subject))?.balance ?? 0;
    const reward = (amount: number) =>
      subjects.steps.run((step) => wallet.service.reward(step, { promo: 1, operation, user, amount: kopecks(amount) }));
    expect(await reward(10_000_00)).toBe(total);
    // A promotion that is tried again with another sum is the same reward.
    expect(await reward(5_00)).toBe(0);
    expect(await moneyOf(subject)).toEqual({ earned: 0, balance: before + total });
    if (paidBy === 'card') {
      await expect(act('cancel payment', subject)).rejects.toMatchObject({ code: 'refund_too_high' });
      await expect(act('cancel payment in part', subject)).rejects.toMatchObject({ code: 'refund_too_high' });
    } else await expect(reverse(subject)).rejects.toMatchObject({ code: 'not_reversible' });
    await setEnergy(subject, 0);
    await subjects.settleAtBank(user);
    expect(await moneyOf(subject)).toEqual({ earned: 0, balance: before + total });
    expect(await subjects.faults()).toEqual([]);
  }
});

test('a reward that staff take back is there to be refunded again', async () => {
  const { wallet } = subjects.features;
  const subject = await subjects.subjectIn('finished', 'card');
  const { user, operation, staff } = subject;
  await subjects.steps.run((step) => wallet.service.reward(step, { promo: 1, operation, user, amount: kopecks(1_00) }));
  const [reward] = await wallet.service.transactions(user, {});
  const undo = { staff, transaction: reward?.id ?? 0, cancelPayment: false, allowPartial: false };
  await wallet.staffMoney.cancelTransaction({ ...undo, requestKey: randomUUID() });
  expect(await moneyOf(subject)).toEqual({ earned: total, balance: deposited });
  await act('cancel payment', subject);
  await subjects.settleAtBank(user);
  expect(await subjects.stateOf(subject)).toMatchObject({ payment: 'reversed', refunded: total });
  expect(await subjects.faults()).toEqual([]);
});

test('a free charge has no reward, because it has earned nothing', async () => {
  const { user, operation } = await subjects.subjectIn('finished', 'free');
  const reward = { promo: 1, operation, user, amount: kopecks(1_00) };
  expect(await subjects.steps.run((step) => subjects.features.wallet.service.reward(step, reward))).toBe(0);
});
