import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MoneyFixture, startMoney } from './testing/money.ts';

let money: MoneyFixture;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const minute = 60_000;
const day = 24 * 60 * minute;

describe('a card hold', () => {
  test('is opened, paid, captured with the total, and the rest of the hold is released [PAY-25]', async () => {
    const user = await money.addUser();
    const opened = await money.openHold(user.id, 500_00);
    expect(opened).toMatchObject({ state: 'created', wanted: null });
    await money.atBank(opened.invoice, 'pay');
    await money.pass(15_000);
    expect(await money.payment(opened.id)).toMatchObject({ state: 'hold', maskedPan: expect.stringMatching(/\*/) });

    await money.capture(opened.id, 123_45);
    await money.runDue();
    expect(await money.payment(opened.id)).toMatchObject({ state: 'success', captured: 123_45, refunded: 0, lost: 0 });
    expect(await money.faults()).toEqual([]);
  });

  test('with a total of 0 is canceled, and nothing is earned [PAY-25]', async () => {
    const user = await money.addUser();
    const held = await money.paidHold(user.id, 100_00);
    await money.capture(held.id, 0);
    await money.runDue();
    await money.pass(4_000);
    expect(await money.payment(held.id)).toMatchObject({ state: 'reversed', captured: 0, lost: 0 });
    expect(await money.faults()).toEqual([]);
  });

  test('is polled every 15 s for 5 minutes, then each minute, whether or not the driver returned [PAY-28]', async () => {
    const user = await money.addUser();
    const opened = await money.openHold(user.id, 100_00);
    const polls = async () => {
      const all = await money.exchanges.of(opened.id);
      return all.filter(({ call }) => call === 'GET /invoice/status').length;
    };
    await money.pass(5 * minute);
    expect(await polls()).toBe(20);
    await money.pass(5 * minute);
    expect(await polls()).toBe(25);
    await money.pass(15 * minute);
    expect(await money.payment(opened.id)).toMatchObject({ state: 'expired' });
  });
});

test('a late hold after our "expired" is released at once [MACH-22]', async () => {
  const user = await money.addUser();
  const opened = await money.openHold(user.id, 100_00);
  await money.pass(30 * minute);
  expect((await money.payment(opened.id)).state).toBe('expired');
  await money.atBank(opened.invoice, 'pay', { late: true });
  await money.payments.service.lookNow(opened.id);
  await money.runDue();
  expect(await money.payment(opened.id)).toMatchObject({ state: 'hold', wanted: 'release' });
  await money.pass(4_000);
  expect(await money.payment(opened.id)).toMatchObject({ state: 'reversed', captured: 0 });
});

test('a capture that fails is tried after 1, 5, 15, 60 minutes, then hourly, until the hold ends: then it is lost [MACH-19] [MACH-20]', async () => {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 100_00);
  await money.switchBank({ reference: `FPAY-${held.id}`, finalize: 'error500' });
  await money.capture(held.id, 60_00);
  await money.runDue();
  const start = money.clock.now().getTime();
  await money.pass(3 * 60 * minute + 30 * minute);
  const tried = (await money.exchanges.of(held.id))
    .filter(({ call }) => call === 'POST /invoice/finalize')
    .map(({ created_at }) => Math.round((created_at.getTime() - start) / minute));
  expect(tried).toEqual([0, 1, 6, 21, 81, 141, 201]);
  expect(await money.payment(held.id)).toMatchObject({ state: 'hold', wanted: 'capture', lost: 0 });

  await money.pass(9 * day);
  await money.pass(minute);
  expect(await money.payment(held.id)).toMatchObject({ state: 'reversed', captured: 0, lost: 60_00 });
  expect(await money.faults()).toEqual([]);
}, 60_000);

test('a sum too small to capture is not retried: the hold is released, the sum is lost [MACH-19]', async () => {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 100_00);
  await money.switchBank({ reference: `FPAY-${held.id}`, finalize: 'refused:1145' });
  await money.capture(held.id, 1);
  await money.runDue();
  await money.pass(10 * minute);
  expect(await money.payment(held.id)).toMatchObject({ state: 'reversed', captured: 0, lost: 1 });
  const tried = (await money.exchanges.of(held.id)).filter(({ call }) => call === 'POST /invoice/finalize');
  expect(tried.length).toBe(1);
  expect(await money.faults()).toEqual([]);
});

test('while the bank is out of reach the hold is unknown, and known again when it answers [MACH-23]', async () => {
  const user = await money.addUser();
  const opened = await money.openHold(user.id, 100_00);
  await money.switchBank({ status: 'error500' });
  await money.pass(15_000);
  expect(await money.payment(opened.id)).toMatchObject({ state: 'created', holdStatus: 'unknown' });
  await money.switchBank({ status: null });
  await money.pass(15_000);
  expect((await money.payment(opened.id)).holdStatus).toBe('created');
});

test('a word of the bank that is in no documentation leaves the hold unknown and takes no step; the next one that is known counts [MACH-23]', async () => {
  const user = await money.addUser();
  const opened = await money.openHold(user.id, 100_00);
  await money.atBank(opened.invoice, 'pay');
  await money.switchBank({ reference: `FPAY-${opened.id}`, newStatus: 'in_review' });
  await money.pass(15_000);
  expect(await money.payment(opened.id)).toMatchObject({ state: 'created', holdStatus: 'unknown', captured: 0 });
  await money.switchBank({ reference: `FPAY-${opened.id}`, newStatus: null });
  await money.pass(15_000);
  expect(await money.payment(opened.id)).toMatchObject({ state: 'hold', holdStatus: 'hold' });
});

test('an invoice released before it is paid is withdrawn; one paid at that very moment is released', async () => {
  const user = await money.addUser();
  const [unpaid, paid] = [await money.openHold(user.id, 100_00), await money.openHold(user.id, 100_00)];
  await money.atBank(paid.invoice, 'pay');
  await money.release(unpaid.id);
  await money.release(paid.id);
  await money.runDue();
  await money.pass(5_000);
  expect((await money.payment(unpaid.id)).state).toBe('expired');
  expect(await money.payment(paid.id)).toMatchObject({ state: 'reversed', captured: 0 });
});

test('listeners are called for each change in the step that makes it', async () => {
  const user = await money.addUser();
  const statuses: string[] = [];
  money.payments.service.onChange(async (step, payment) => {
    const { status } = await step.db
      .selectFrom('payments')
      .select('status')
      .where('id', '=', payment.id)
      .executeTakeFirstOrThrow();
    if (payment.user === user.id) statuses.push(status);
  });
  const held = await money.paidHold(user.id, 100_00);
  await money.capture(held.id, 50_00);
  await money.runDue();
  expect(statuses).toEqual(['pending', 'created', 'hold', 'success']);
});
