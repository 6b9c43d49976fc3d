import { buyBalance } from '@fpay/contract/wallet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BankApi, InvoiceStatus } from '../bank.ts';
import { type MoneyApi, startMoneyApi } from '../testing/money-api.ts';
import { wireMoney } from '../testing/wire-money.ts';

let money: MoneyApi;
beforeAll(async () => {
  // Short, because some of these calls never get an answer; long enough for a busy machine to answer.
  money = await startMoneyApi({ timeoutMs: 3_000 });
  await money.listen();
});
afterAll(() => money.close());

const balance = (user: { id: number }) => money.wallet.balanceOf(user.id);
const minute = 60_000;

/** Every failure of the bank; `-done`: it has executed the request all the same. */
const faults = ['error500', 'error500-done', 'garbage', 'no-answer', 'no-answer-done'] as const;

describe.each(faults)('a bank that answers with %s', (fault) => {
  test('when a page is opened: the driver gets a clear refusal, may repeat the request, and pays once', async () => {
    const user = await money.signedIn();
    const nonce = `the-bank-says-${fault}`;
    const buy = () => user.client.call(buyBalance, { body: { amount: 100_00, redirect_to: '/balance' } }, { nonce });
    await money.switchBank({ create: `${fault} x1` });
    expect(await buy()).toMatchObject({ status: 502, body: { code: 'bank_away', message: expect.any(String) } });
    expect(await balance(user)).toBe(0);

    const again = await buy();
    expect(again.status).toBe(200);
    await money.atBank(again.body.page_url.split('/').at(-1) ?? '', 'pay');
    await money.pass(minute);
    expect(await balance(user)).toBe(100_00);
    expect(await money.faults()).toEqual([]);
  });

  test('when the request is not repeated: the payment ends by itself, and nothing was taken', async () => {
    const user = await money.signedIn();
    await money.switchBank({ create: fault });
    const first = await user.client.call(buyBalance, { body: { amount: 100_00, redirect_to: '/balance' } });
    expect(first.status).toBe(502);
    await money.switchBank({ create: null });
    await money.pass(30 * minute);
    expect(await money.payments.topUps.last(user.id)).toMatchObject({ payment_status: 'failed', page_url: null });
    expect(await balance(user)).toBe(0);
    expect(await money.faults()).toEqual([]);
  });

  test('when the total is captured: it is captured once, now or later', async () => {
    const user = await money.addUser();
    const held = await money.paidHold(user.id, 100_00);
    await money.switchBank({ reference: `FPAY-${held.id}`, finalize: `${fault} x1` });
    await money.capture(held.id, 60_00);
    await money.runDue();
    await money.pass(2 * minute);
    expect(await money.payment(held.id)).toMatchObject({ state: 'success', captured: 60_00, refunded: 0, lost: 0 });
    expect(await money.bank.invoiceStatus(held.invoice ?? '')).toMatchObject({
      value: { finalAmount: 60_00, returns: [] },
    });
    expect(await money.faults()).toEqual([]);
  });

  test('when money is returned: it is returned once', async () => {
    const user = await money.addUser();
    const held = await money.paidHold(user.id, 100_00);
    await money.capture(held.id, 60_00);
    await money.runDue();
    await money.switchBank({ reference: `FPAY-${held.id}`, cancel: `${fault} x1` });
    await money.capture(held.id, 45_00);
    await money.runDue();
    await money.pass(2 * minute);
    expect(await money.payment(held.id)).toMatchObject({ state: 'success', captured: 60_00, refunded: 15_00 });
    expect(await money.bank.invoiceStatus(held.invoice ?? '')).toMatchObject({ value: { finalAmount: 45_00 } });
    expect(await money.faults()).toEqual([]);
  });
});

/** The same money with a bank that differs in some way. */
function withBank(change: (bank: BankApi) => Partial<BankApi>) {
  return wireMoney({
    databaseUrl: money.database.appUrl,
    bankUrl: money.bankUrl,
    clock: money.clock,
    wrap: ({ steps, bank }) => ({ steps, bank: { ...bank, ...change(bank) } }),
  });
}

function invoiceStatusOf(
  bank: BankApi,
  change: (invoiceStatus: InvoiceStatus) => InvoiceStatus,
): BankApi['invoiceStatus'] {
  return async (invoice) => {
    const answer = await bank.invoiceStatus(invoice);
    return answer.kind === 'done' ? { kind: 'done', value: change(answer.value) } : answer;
  };
}

test.each([
  ['and we heard so', (bank: BankApi): BankApi['refund'] => bank.refund],
  [
    'while our server died',
    (bank: BankApi): BankApi['refund'] =>
      async (...asked) => {
        await bank.refund(...asked);
        throw new Error('killed');
      },
  ],
])(
  'a return that the bank accepted %s, and does not list yet, is not requested a second time',
  async (_how, refund) => {
    const user = await money.addUser();
    const held = await money.paidHold(user.id, 100_00);
    await money.capture(held.id, 80_00);
    await money.runDue();
    const short = withBank((bank) => ({
      invoiceStatus: invoiceStatusOf(bank, (invoiceStatus) => ({ ...invoiceStatus, returns: [] })),
      refund: refund(bank),
    }));
    await short.capture(held.id, 60_00);
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await short.runDue().catch((error: Error) => expect(error.message).toBe('killed'));
      money.manual.advance(5_000);
    }
    await short.close();
    const asked = await fetch(`${money.bankUrl}/invoices/${held.invoice}`);
    expect(await asked.json()).toMatchObject({ finalAmount: 60_00, cancelList: [{ amount: 20_00 }] });
    await money.pass(4 * minute);
    expect(await money.payment(held.id)).toMatchObject({ state: 'success', captured: 80_00, refunded: 20_00 });
    expect(await money.faults()).toEqual([]);
  },
);

test.each([
  ['sum', { amount: 1_00 }],
  ['currency', { currency: 840 }],
] as const)('a status with another %s moves no money and is listed for staff', async (_of, change) => {
  const user = await money.addUser();
  const topUp = await money.topUp(user.id, 100_00);
  await money.atBank(topUp.invoice, 'pay');
  const odd = withBank((bank) => ({
    invoiceStatus: invoiceStatusOf(bank, (invoiceStatus) => ({ ...invoiceStatus, ...change })),
  }));
  await odd.payments.service.lookNow(topUp.id);
  await odd.runDue();
  await odd.close();
  expect([(await money.payment(topUp.id)).state, await balance(user)]).toEqual(['created', 0]);
  const listed = await money.payments.anomalies.open({ limit: 100 });
  expect(listed.filter(({ payment_id }) => payment_id === topUp.id)).toMatchObject([{ kind: 'amount_mismatch' }]);
  await money.pass(minute);
  expect(await balance(user)).toBe(100_00);
});
