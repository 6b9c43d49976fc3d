import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Money, startMoney } from './money.test-support.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney({ isFiscal: true });
});
afterAll(() => money.close());

const day = 24 * 60 * 60_000;

async function found() {
  const rows = await money.payments.anomalies.open({ limit: 100 });
  return rows
    .map(({ kind, payment_id }) => ({ kind, payment: payment_id }))
    .sort((a, b) => a.kind.localeCompare(b.kind));
}

test('the bank’s statement is held against payments and clearing every night; differences are anomalies [PAY-34]', async () => {
  const user = await money.addUser();
  const captured = await money.paidHold(user.id, 100_00);
  await money.capture(captured.id, 80_00);
  await money.runDue();
  const topUp = await money.topUp(user.id, 50_00);
  await money.atBank(topUp.invoice, 'pay');
  await money.payments.service.lookNow(topUp.id);
  await money.runDue();
  // Somebody paid an invoice that our books know nothing of.
  const orphan = await money.bank.open({
    reference: 'FPAY-987654',
    amount: kopecks(30_00),
    kind: 'hold',
    description: 'Charging',
    redirectUrl: 'https://fpay.test/',
    validSeconds: 900,
    goods: null,
  });
  await money.atBank(orphan.kind === 'done' ? orphan.value.invoice : '', 'pay');
  // And one that was paid without our hearing of it.
  const unheard = await money.topUp(user.id, 20_00);
  await money.atBank(unheard.invoice, 'pay');

  await money.payments.reconcile(money.clock.now());
  expect(await found()).toEqual([
    { kind: 'bank_fee', payment: null },
    { kind: 'clearing_mismatch', payment: null },
    { kind: 'missing_capture', payment: unheard.id },
    { kind: 'orphan_hold', payment: null },
  ]);
  // What was missing is asked about at once, and then in the books.
  await money.runDue();
  expect(await money.payment(unheard.id)).toMatchObject({ state: 'success', captured: 20_00 });
  expect(await money.faults()).toEqual([]);

  // Again the same night: nothing is listed twice, no fee is booked twice.
  const before = await found();
  await money.payments.reconcile(money.clock.now());
  expect(await found()).toEqual(before);
});

test('a payment that the card’s owner took back is an anomaly and a loss, once [PAY-34]', async () => {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 100_00);
  await money.capture(held.id, 80_00);
  await money.runDue();
  await money.atBank(held.invoice, 'chargeback');
  for (const _ of [1, 2]) {
    await money.payments.service.lookNow(held.id);
    await money.runDue();
  }
  expect(await money.payment(held.id)).toMatchObject({ state: 'reversed', captured: 80_00, refunded: 80_00 });
  expect((await found()).filter(({ payment }) => payment === held.id)).toEqual([
    { kind: 'chargeback', payment: held.id },
  ]);
  expect(await money.faults()).toEqual([]);
});

test('with fiscalisation on, the basket goes along and the check is kept with the payment [PAY-33]', async () => {
  await money.switchBank({ fiscal: 'required' });
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 100_00);
  await money.capture(held.id, 45_00);
  await money.runDue();
  await money.pass(20_000);
  expect((await money.payment(held.id)).fiscal).toMatchObject({
    number: expect.stringMatching(/^\d{10}$/),
    url: expect.stringMatching(/^http/),
  });
  await money.capture(held.id, 40_00);
  await money.runDue();
  await money.pass(5_000);
  const sent = (await money.exchanges.of(held.id)).map(({ call, request }) => [call, JSON.stringify(request)] as const);
  const items = (call: string) =>
    sent.filter(([name]) => name === call).map(([, request]) => /"sum":(\d+)/.exec(request)?.[1]);
  expect([items('POST /invoice/create'), items('POST /invoice/finalize'), items('POST /invoice/cancel')]).toEqual([
    ['10000'],
    ['4500'],
    ['500'],
  ]);
});

test('a hold that nobody captures by day 7 is told to whoever charges, and to staff [MACH-20]', async () => {
  const user = await money.addUser();
  const told: string[] = [];
  const held = await money.paidHold(user.id, 100_00);
  money.payments.service.onChange(async (_step, payment) => {
    if (payment.id === held.id) told.push(payment.state);
  });
  await money.pass(7 * day - 60_000);
  expect(told).toEqual([]);
  await money.pass(120_000);
  expect(told).toEqual(['hold']);
  expect((await found()).filter(({ kind }) => kind === 'hold_ending')).toEqual([
    { kind: 'hold_ending', payment: held.id },
  ]);
});
