import { randomUUID } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StaffSubject } from '../testing/staff-actions.ts';
import { createStaffJudge } from '../testing/staff-judge.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/** A judge that never finds anything would pass every sequence, so each kind of wrong money is made here by hand. */
let subjects: Awaited<ReturnType<typeof openStaffActions>>;
let judge: ReturnType<typeof createStaffJudge>;
beforeAll(async () => {
  subjects = await openStaffActions();
  judge = createStaffJudge(subjects);
});
afterAll(() => subjects.close());

const byHand = 1000_00;
const faultsOf = async (subject: StaffSubject) => (await judge(subject, { byHand })).faults;
const write = (statement: ReturnType<typeof sql>) => statement.execute(subjects.db);

async function invoiceOf({ payment }: StaffSubject): Promise<string> {
  return (await subjects.features.payments.store.find(payment))?.invoice ?? '';
}

test.each(['card', 'balance', 'free'] as const)('a finished charge paid by %s has no fault', async (paidBy) => {
  expect(await judge(await subjects.subjectIn('finished', paidBy), { byHand })).toEqual({ faults: [], isOpen: false });
});

test('money that the bank returned and the books still have is a fault', async () => {
  const subject = await subjects.subjectIn('finished', 'card');
  await subjects.atBank(`invoices/${await invoiceOf(subject)}/chargeback`, {});
  expect(await faultsOf(subject)).toContain('the bank has 0.00 of ours, the books say 1.50');
});

test('a hold that stays at the bank after the end is a fault', async () => {
  const subject = await subjects.subjectIn('pending', 'card');
  await write(sql`update operations set status = 'canceled', next_action_at = null where id = ${subject.operation}`);
  expect(await faultsOf(subject)).toEqual(['150.00 is held for a charge that is canceled']);
});

test('a deposit that stays in its reserve after the end is a fault', async () => {
  const subject = await subjects.subjectIn('pending', 'balance');
  await write(sql`update operations set status = 'failed', next_action_at = null where id = ${subject.operation}`);
  expect(await faultsOf(subject)).toEqual(['150.00 is held for a charge that is failed']);
});

test('money that is kept of a failed charge, or that is not the price of its energy, is a fault', async () => {
  const subject = await subjects.subjectIn('finished', 'balance');
  await write(sql`update operations set status = 'failed' where id = ${subject.operation}`);
  expect(await faultsOf(subject)).toContain('1.50 was kept of a charge that is failed');
  await write(sql`update operations set status = 'finished', total = 0 where id = ${subject.operation}`);
  expect(await faultsOf(subject)).toContain('100 Wh cost 1.50, the total is 0.00');
});

test('a gift that the staff member did not give is a fault', async () => {
  const subject = await subjects.subjectIn('finished', 'card');
  const gift = { staff: subject.staff, user: subject.user, amount: kopecks(5_00), requestKey: randomUUID() };
  await subjects.features.wallet.staffMoney.give(gift);
  expect(await faultsOf(subject)).toEqual(['staff gave 1000.00 in all, the books say 1005.00']);
});

test('a charge that the watchdogs leave open is a fault', async () => {
  const subject = await subjects.subjectIn('pending', 'balance');
  const { faults, isOpen } = await judge(subject, { byHand, isWatched: true });
  expect({ faults, isOpen }).toEqual({ faults: ['a charge stays pending for ever'], isOpen: true });
});
