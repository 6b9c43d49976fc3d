import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kyivDayStart } from '../../platform/kyiv-time.ts';
import type { BankApi, StatementLine } from '../bank.ts';
import type { PaymentState } from '../payment.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { wireMoney } from '../testing/wire-money.ts';

let money: MoneyFixture;
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

test('the bank’s statement is compared with payments and clearing every night; differences are anomalies [PAY-34]', async () => {
  const user = await money.addUser();
  const captured = await money.paidHold(user.id, 100_00);
  await money.capture(captured.id, 80_00);
  await money.runDue();
  const topUp = await money.topUp(user.id, 50_00);
  await money.atBank(topUp.invoice, 'pay');
  await money.payments.service.lookNow(topUp.id);
  await money.runDue();
  // A person paid an invoice that our books do not have.
  const orphan = await money.bank.open({
    reference: 'FPAY-987654',
    amount: kopecks(30_00),
    kind: 'hold',
    description: 'Charging',
    redirectUrl: 'https://fpay.test/',
    validSeconds: 900,
    fiscalItem: null,
  });
  await money.atBank(orphan.kind === 'done' ? orphan.value.invoice : '', 'pay');
  // This one was paid, and the payment did not learn of it.
  const unreported = await money.topUp(user.id, 20_00);
  await money.atBank(unreported.invoice, 'pay');

  await money.payments.reconcile(money.clock.now());
  expect(await found()).toEqual([
    { kind: 'bank_fee', payment: null },
    { kind: 'clearing_mismatch', payment: null },
    { kind: 'missing_capture', payment: unreported.id },
    { kind: 'orphan_hold', payment: null },
  ]);
  // The missing payment is polled at once, and then in the books.
  await money.runDue();
  expect(await money.payment(unreported.id)).toMatchObject({ state: 'success', captured: 20_00 });
  expect(await money.faults()).toEqual([]);

  // A second run in the same night lists nothing twice and books no fee twice.
  const before = await found();
  await money.payments.reconcile(money.clock.now());
  expect(await found()).toEqual(before);
});

test('during the day the bank is compared too: what changed lately, and what staff forced; each difference is listed once [PAY-34]', async () => {
  const earlier = (await found()).length;
  const user = await money.addUser();
  const unreported = await money.topUp(user.id, 21_00);
  await money.atBank(unreported.invoice, 'pay');
  const forced = async (state: PaymentState, paid: boolean) => {
    const payment = paid ? await money.paidHold(user.id, 100_00) : await money.openHold(user.id, 100_00);
    await money.db
      .updateTable('payments')
      .set({ is_overridden: true, status: state, next_action_at: null })
      .where('id', '=', payment.id)
      .execute();
    return payment.id;
  };
  const released = await forced('reversed', true);
  const unpaid = await forced('success', false);
  // It agrees with the bank.
  await forced('reversed', false);
  // The payment did not learn of it, and is not asked about again.
  await money.db.updateTable('payments').set({ next_action_at: null }).where('id', '=', unreported.id).execute();
  // What closed just now may be in one of the two books only.
  await money.pass(11 * 60_000);

  const own = async () =>
    (await found()).filter(({ payment }) => [unreported.id, released, unpaid].includes(payment ?? 0));
  await money.payments.compareLately();
  const listed = [
    { kind: 'missing_capture', payment: unreported.id },
    { kind: 'not_in_statement', payment: unpaid },
    { kind: 'orphan_hold', payment: released },
  ];
  expect(await own()).toEqual(listed);
  expect(await found()).toHaveLength(earlier + listed.length);
  await money.payments.compareLately();
  await money.payments.reconcile(money.clock.now());
  expect(await own()).toEqual(listed);
});

/** The same money with a statement that contains more than the sandbox's does. */
async function reconciled(at: Date, change: (lines: StatementLine[], asked: [Date, Date]) => StatementLine[]) {
  const other = wireMoney({
    databaseUrl: money.database.appUrl,
    bankUrl: money.bankUrl,
    clock: money.clock,
    wrap: ({ steps, bank }) => {
      const statement: BankApi['statement'] = async (...asked) => {
        const answer = await bank.statement(...asked);
        return answer.kind === 'done' ? { kind: 'done', value: change(answer.value, asked) } : answer;
      };
      return { steps, bank: { ...bank, statement } };
    },
  });
  const outcome = await other.payments.reconcile(at);
  await other.close();
  return outcome;
}

test('payments that only we have, that only the bank has, and that both have with another sum are distinguished [PAY-34]', async () => {
  const user = await money.addUser();
  const captured = async () => {
    const held = await money.paidHold(user.id, 100_00);
    await money.capture(held.id, 80_00);
    await money.runDue();
    return held;
  };
  const [ours, differing, right] = [await captured(), await captured(), await captured()];
  await money.pass(15 * 60_000);
  const at = money.clock.now();
  const theirs = { invoice: '261115NobodyKnowsIt', reference: 'shop-5', amount: 5_00, fee: null, at, returned: 0 };
  await reconciled(at, (lines) => [
    { ...theirs, status: 'success' as const },
    ...lines
      .filter(({ invoice }) => invoice !== ours.invoice)
      .map((line) => (line.invoice === differing.invoice ? { ...line, amount: 79_99 } : line)),
  ]);
  const open = await money.payments.anomalies.open({ limit: 100 });
  const kindsOf = (subject: string | null) => open.filter((one) => one.subject === subject).map(({ kind }) => kind);
  expect([ours.invoice, differing.invoice, theirs.invoice, right.invoice].map(kindsOf)).toEqual([
    ['not_in_statement'],
    ['amount_mismatch'],
    ['orphan_payment'],
    [],
  ]);
});

test('a declined payment in the statement does not count as missing', async () => {
  const user = await money.addUser();
  const { invoice, id } = await money.openHold(user.id, 70_00);
  await money.atBank(invoice, 'decline');
  await money.payments.service.lookNow(id);
  await money.runDue();
  expect((await money.payment(id)).state).toBe('failure');
  const declined = {
    invoice: invoice ?? '',
    reference: null,
    amount: 70_00,
    fee: null,
    at: money.clock.now(),
    returned: 0,
  };
  await reconciled(money.clock.now(), (lines) => [...lines, { ...declined, status: 'other' as const }]);
  expect((await found()).filter(({ payment }) => payment === id)).toEqual([]);
});

test('a fee that the bank computes again after a return does not stop the comparison', async () => {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 100_00);
  await money.capture(held.id, 80_00);
  await money.runDue();
  const withFee = (fee: number) => (lines: StatementLine[]) =>
    lines.map((line) => (line.invoice === held.invoice ? { ...line, fee } : line));
  await reconciled(money.clock.now(), withFee(1_04));
  await reconciled(money.clock.now(), withFee(78));
  const booked = await money.db
    .selectFrom('transfers')
    .select('amount')
    .where('payment_id', '=', held.id)
    .where('kind', '=', 'fee')
    .execute();
  expect(booked).toEqual([{ amount: 1_04 }]);
  expect(await money.faults()).toEqual([]);
});

test.each([
  ['2026-11-15T03:40:00Z', '2026-11-14T21:50:00.000Z', '2026-11-15T22:10:00.000Z'],
  ['2026-03-29T12:00:00Z', '2026-03-28T21:50:00.000Z', '2026-03-29T21:10:00.000Z'],
  ['2026-10-25T12:00:00Z', '2026-10-24T20:50:00.000Z', '2026-10-25T22:10:00.000Z'],
])(
  'the day of %s is compared from midnight to midnight in Kyiv with a margin, also when the clocks change',
  async (at, from, to) => {
    const periods: string[][] = [];
    await reconciled(new Date(at), (lines, asked) => {
      periods.push(asked.map((instant) => instant.toISOString()));
      return lines;
    });
    expect(periods).toEqual([[from, to]]);
  },
);

test('a payment that the bank dates before midnight and we after it is missing on neither day', async () => {
  const user = await money.addUser();
  const midnight = kyivDayStart(new Date(money.clock.now().getTime() + day)).getTime();
  await money.pass(midnight - 2_000 - money.clock.now().getTime());
  const topUp = await money.topUp(user.id, 20_00);
  await money.atBank(topUp.invoice, 'pay');
  await money.pass(60 * 60_000);
  const [deposit] = await money.wallet.transactions(user.id, {});
  expect(deposit).toMatchObject({ amount: 20_00, time: '00:00' });
  for (const at of [midnight - 1, midnight]) await money.payments.reconcile(new Date(at));
  expect((await found()).filter(({ payment }) => payment === topUp.id)).toEqual([]);
});

test('a night without a statement from the bank is repeated in the next', async () => {
  const user = await money.addUser();
  const unreported = await money.topUp(user.id, 20_00);
  await money.pass(30 * 60_000);
  await money.atBank(unreported.invoice, 'pay', { late: true });
  await money.pass(day);
  await money.switchBank({ statement: 'error500' });
  await expect(money.payments.reconcileLately()).rejects.toThrow('no statement');
  await money.switchBank({ statement: null });
  await money.pass(day);
  await money.payments.reconcileLately();
  await money.runDue();
  expect((await found()).filter(({ payment }) => payment === unreported.id)).toEqual([
    { kind: 'missing_capture', payment: unreported.id },
  ]);
  expect(await money.payment(unreported.id)).toMatchObject({ state: 'success', captured: 20_00 });
  expect(await money.faults()).toEqual([]);
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

test('with fiscalisation on, the basket is sent and the check is stored with the payment [PAY-33]', async () => {
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

test('a hold that is not captured by day 7 is reported to charging and to staff [MACH-20]', async () => {
  const user = await money.addUser();
  const states: string[] = [];
  const held = await money.paidHold(user.id, 100_00);
  money.payments.service.onChange(async (_step, payment) => {
    if (payment.id === held.id) states.push(payment.state);
  });
  await money.pass(7 * day - 60_000);
  expect(states).toEqual([]);
  await money.pass(120_000);
  expect(states).toEqual(['hold']);
  expect((await found()).filter(({ kind }) => kind === 'hold_ending')).toEqual([
    { kind: 'hold_ending', payment: held.id },
  ]);
});
