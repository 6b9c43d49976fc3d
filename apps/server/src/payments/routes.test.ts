import { cancelHold } from '@fpay/contract/admin/actions/cancel-hold';
import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { finalizePayment } from '@fpay/contract/admin/actions/finalize';
import { paymentInfo } from '@fpay/contract/payments';
import { buyBalance, lastTopUp } from '@fpay/contract/wallet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monobank } from './monobank/terms.ts';
import { type MoneyApi, startMoneyApi } from './testing/money-api.ts';
import { ownPage } from './top-up.ts';

let money: MoneyApi;
beforeAll(async () => {
  money = await startMoneyApi();
  await money.listen();
});
afterAll(() => money.close());

const balance = (user: { id: number }) => money.wallet.balanceOf(user.id);
const params = (payment: { id: number }) => ({ params: { paymentId: String(payment.id) } });

describe('buying balance', () => {
  const buy = (amount: number, redirect_to = '/balance') => ({ body: { amount, redirect_to } });

  test('returns the bank’s page, and the money is in the wallet once it is paid [API-36]', async () => {
    const user = await money.signedIn();
    const answer = await user.client.call(buyBalance, buy(250_00));
    expect([answer.status, answer.body.page_url]).toEqual([200, expect.stringMatching(/^http/)]);
    expect(await balance(user)).toBe(0);
    await money.atBank(answer.body.page_url.split('/').at(-1) ?? '', 'pay');
    await money.pass(15_000);
    expect(await balance(user)).toBe(250_00);
    await money.pass(60_000);
    expect(await balance(user)).toBe(250_00);
    expect(await money.faults()).toEqual([]);
  });

  test.each([
    ['pay', 'success', 250_00],
    ['decline', 'failed', 0],
  ] as const)('a driver who returns from the bank sees the outcome: %s', async (pressed, outcome, credited) => {
    const user = await money.signedIn();
    const last = async () => (await user.client.call(lastTopUp)).body;
    const unknown = { card: null, decline_reason: null };
    expect(await last()).toBeNull();
    const { page_url } = (await user.client.call(buyBalance, buy(250_00))).body;
    expect(await last()).toEqual({ amount: 250_00, payment_status: null, page_url, ...unknown });
    await money.atBank(page_url.split('/').at(-1) ?? '', pressed);
    await money.pass(15_000);
    expect(await last()).toMatchObject({ amount: 250_00, payment_status: outcome, page_url: null });
    expect(await balance(user)).toBe(credited);
    const stranger = await money.signedIn();
    expect((await stranger.client.call(lastTopUp)).body).toBeNull();
  });

  test('repeated under the same signature opens only one page', async () => {
    const user = await money.signedIn();
    const nonce = 'one-top-up-and-not-two';
    const pages = [];
    for (const _ of [1, 2]) pages.push((await user.client.call(buyBalance, buy(100_00), { nonce })).body.page_url);
    expect(new Set(pages).size).toBe(1);
  });

  test('accepts 10 to 10000 UAH, and returns only to a page of ours', async () => {
    const user = await money.signedIn();
    const status = async (amount: number, to?: string) => (await user.client.call(buyBalance, buy(amount, to))).status;
    expect([await status(9_99), await status(10_000_01), await status(10_00), await status(10_000_00)]).toEqual([
      422, 422, 200, 200,
    ]);
    expect([await status(10_00, 'https://evil.example/'), await status(10_00, '//evil.example/')]).toEqual([422, 422]);
  });

  test('is refused clearly when the bank does not answer, and the same request may be sent again', async () => {
    const user = await money.signedIn();
    await money.switchBank({ create: 'error500 x1' });
    const nonce = 'the-bank-was-away-once';
    const first = await user.client.call(buyBalance, buy(100_00), { nonce });
    expect([first.status, first.body.code]).toEqual([502, 'bank_away']);
    const second = await user.client.call(buyBalance, buy(100_00), { nonce });
    expect(second.status).toBe(200);
    expect(await balance(user)).toBe(0);
  });
});

test.each([
  ['/balance', 'https://fpay.test/balance'],
  ['https://fpay.test/station/F1001', 'https://fpay.test/station/F1001'],
  ['https://evil.example', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://fpay.test@evil.example/', null],
  ['https://fpay.test.evil.example/', null],
  ['javascript:alert(1)', null],
  ['http://fpay.test/', null],
])('after paying, %s leads to %s', (typed, expected) => {
  expect(ownPage(typed, new URL('https://fpay.test'))).toBe(expected);
});

describe('staff', () => {
  test('see the bank’s status of a payment [API-69] [ADM-OP-26]', async () => {
    const [support, user] = [await money.signedIn('Support'), await money.addUser()];
    const held = await money.paidHold(user.id, 300_00);
    await money.capture(held.id, 200_00);
    await money.runDue();
    const answer = await support.client.call(paymentInfo, params(held));
    expect(answer.body).toEqual({
      masked_pan: expect.stringMatching(/^\d{6}\*+\d{4}$/),
      rrn: expect.stringMatching(/^\d{12}$/),
      amount: 300_00,
      final_amount: 200_00,
      status: 'success',
      return_rrn: null,
      return_status: null,
      return_amount: null,
    });
    expect((await support.client.call(paymentInfo, params({ id: 999_999 }))).status).toBe(404);
  });

  test('finalize a hold with an amount; then a lower one is refunded in part, a higher one refused [API-72] [PAY-32]', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.addUser()];
    const held = await money.paidHold(user.id, 300_00);
    const finalize = (amount: number) => operator.client.call(finalizePayment, { ...params(held), body: { amount } });
    expect(await finalize(200_00)).toMatchObject({ status: 409, body: { code: 'operation_open' } });
    await money.endCharge(held.operation ?? 0, 200_00);
    expect(await finalize(300_01)).toMatchObject({ status: 409, body: { code: 'capture_too_high' } });
    expect((await finalize(200_00)).status).toBe(200);
    await money.runDue();
    expect(await money.payment(held.id)).toMatchObject({ state: 'success', captured: 200_00 });

    expect(await finalize(200_01)).toMatchObject({ status: 409, body: { code: 'capture_too_high' } });
    expect((await finalize(150_00)).status).toBe(200);
    await money.runDue();
    await money.pass(5_000);
    expect(await money.payment(held.id)).toMatchObject({ state: 'success', captured: 200_00, refunded: 50_00 });
    const invoiceStatus = await money.bank.invoiceStatus(held.invoice ?? '');
    expect(invoiceStatus).toMatchObject({
      value: { finalAmount: 150_00, returns: [{ amount: 50_00, ref: expect.stringMatching(/^fpay-refund-/) }] },
    });
    expect(await money.faults()).toEqual([]);
  });

  test('cancel a hold, and only a hold [API-74]', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.addUser()];
    const held = await money.paidHold(user.id, 300_00);
    expect((await operator.client.call(cancelHold, params(held))).status).toBe(200);
    await money.runDue();
    await money.pass(5_000);
    expect(await money.payment(held.id)).toMatchObject({ state: 'reversed', captured: 0 });
    expect((await operator.client.call(cancelHold, params(held))).status).toBe(409);
  });

  test('return captured money to the card, in part and then all that is left, never more [API-75]', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.addUser()];
    const held = await money.paidHold(user.id, 300_00);
    const cancel = (body: { amount?: number }) => operator.client.call(cancelPayment, { ...params(held), body });
    expect((await cancel({})).status).toBe(409);
    await money.capture(held.id, 300_00);
    await money.runDue();
    expect((await cancel({ amount: 300_01 })).status).toBe(409);
    expect((await cancel({ amount: 100_00 })).body).toMatchObject({
      return_amount: 100_00,
      return_status: 'processing',
    });
    await money.runDue();
    await money.pass(5_000);
    expect((await cancel({})).status).toBe(200);
    await money.runDue();
    await money.pass(5_000);
    expect(await money.payment(held.id)).toMatchObject({ state: 'reversed', captured: 300_00, refunded: 300_00 });
    const actions = await money.db
      .selectFrom('audit')
      .select('action')
      .where('subject_kind', '=', 'payment')
      .where('subject_id', '=', String(held.id))
      .execute();
    expect(actions).toEqual([{ action: 'payment.cancel' }, { action: 'payment.cancel' }]);
    expect(await money.faults()).toEqual([]);
  });

  test('without the permission change nothing', async () => {
    const [support, user] = [await money.signedIn('Support'), await money.addUser()];
    const held = await money.paidHold(user.id, 300_00);
    expect((await support.client.call(cancelHold, params(held))).status).toBe(403);
    expect((await support.client.call(finalizePayment, { ...params(held), body: { amount: 1 } })).status).toBe(403);
    expect((await support.client.call(cancelPayment, { ...params(held), body: {} })).status).toBe(403);
  });

  test('force a state by hand: the bank is asked first, no money moves, and the checker lists it separately', async () => {
    const [operator, user] = [await money.signedIn('Operator'), await money.addUser()];
    const held = await money.paidHold(user.id, 300_00);
    await money.payments.staffActions.act(
      { staff: operator.id, payment: held.id, requestKey: 'override' },
      { action: 'force_hold', hold: 'success' },
    );
    expect(await money.payment(held.id)).toMatchObject({ state: 'success', isOverridden: true, captured: 0 });
    expect(await money.faults()).toEqual([]);
  });
});

describe('the bank’s notification', () => {
  const outcomes = async () => {
    const text = await money.metrics.registry.getSingleMetricAsString('fpay_bank_webhooks_total');
    return Object.fromEntries(
      [...text.matchAll(/outcome="(\w+)"\} (\d+)/g)].map(([, name = '', value]) => [name, Number(value)]),
    );
  };
  const counted = async (outcome: string) => (await outcomes())[outcome] ?? 0;
  const until = async (isTrue: () => Promise<boolean>) => {
    for (let tries = 0; tries < 200 && !(await isTrue()); tries += 1) {
      // The bank's time passes too, but not enough to make a poll due.
      money.manual.advance(50);
      await new Promise((done) => setTimeout(done, 25));
    }
  };

  test('triggers a read of the status, which alone counts; repeated and reordered ones change nothing more [PAY-28]', async () => {
    const user = await money.addUser();
    const opened = await money.openHold(user.id, 100_00);
    await money.switchBank({ reference: `FPAY-${opened.id}`, webhooksDuplicate: true, webhooksReordered: true });
    const before = await counted('taken');
    await money.atBank(opened.invoice, 'pay');
    await until(async () => (await counted('taken')) > before);
    await money.runDue();
    expect((await money.payment(opened.id)).state).toBe('hold');
    await money.capture(opened.id, 70_00);
    await money.runDue();
    await until(async () => (await counted('taken')) + (await counted('stale')) >= before + 3);
    await money.runDue();
    expect(await money.payment(opened.id)).toMatchObject({ state: 'success', captured: 70_00 });
    expect(await money.faults()).toEqual([]);
  });

  test('that the bank did not sign is refused; one that cannot be ours is ignored; no money moves', async () => {
    const user = await money.addUser();
    const opened = await money.openHold(user.id, 100_00);
    const claim = {
      invoiceId: opened.invoice,
      status: 'hold',
      amount: 100_00,
      ccy: 980,
      modifiedDate: '2030-01-01T00:00:00Z',
    };
    const send = (body: string, sign?: string) =>
      fetch(money.url + monobank.notificationPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(sign ? { 'x-sign': sign } : {}) },
        body,
      });
    const before = await counted('forged');
    for (const sign of [undefined, 'bm90IGEgc2lnbmF0dXJl', 'x'.repeat(2_000)]) {
      expect((await send(JSON.stringify(claim), sign)).status).toBe(403);
    }
    expect(await counted('forged')).toBe(before + 3);
    await money.runDue();
    expect(await money.payment(opened.id)).toMatchObject({ state: 'created', bankModifiedAt: null });
  });
});
