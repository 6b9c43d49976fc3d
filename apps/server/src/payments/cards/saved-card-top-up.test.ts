import { savedCards } from '@fpay/contract/cards';
import { buyBalance, lastTopUp } from '@fpay/contract/wallet';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type MoneyApi, startMoneyApi } from '../testing/money-api.ts';

let money: MoneyApi;
beforeAll(async () => {
  money = await startMoneyApi({ timeoutMs: 2_000 });
  await money.listen();
});
afterEach(() =>
  money.switchBank({
    walletNeeds3ds: false,
    walletDecline: 'off',
    walletPayment: 'off',
    statement: 'off',
    webhooksSilent: false,
  }),
);
afterAll(() => money.close());

type Driver = Awaited<ReturnType<MoneyApi['signedIn']>>;
const cardsOf = async ({ client }: Driver) => (await client.call(savedCards)).body;
const lastOf = async ({ client }: Driver) => (await client.call(lastTopUp)).body;
const balanceOf = ({ id }: Driver) => money.wallet.balanceOf(id);
const ours = () => new URL('/balance?from-bank', money.publicUrl).href;
const buy = ({ client }: Driver, more: { card?: number; save_card?: boolean } = {}, nonce?: string) =>
  client.call(
    buyBalance,
    { body: { amount: 100_00, redirect_to: '/balance?from-bank', ...more } },
    nonce === undefined ? {} : { nonce },
  );
const paymentOf = async ({ id }: Driver) => {
  const { id: payment } = await money.db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return money.payment(payment);
};

/** A driver who has added a card on the balance page: a top-up of 100 UAH whose card the bank saved. */
async function driverWithCard(): Promise<{ driver: Driver; card: number }> {
  const driver = await money.signedIn();
  await buy(driver, { save_card: true });
  const { id, invoice } = await paymentOf(driver);
  await money.atBank(invoice, 'pay');
  await money.payments.service.lookNow(id);
  await money.runDue();
  const [card] = await cardsOf(driver);
  if (!card) throw new Error('no card was saved');
  return { driver, card: card.id };
}

test('a card is added by a top-up with the consent to save it, and not without', async () => {
  const { driver } = await driverWithCard();
  expect(await balanceOf(driver)).toBe(100_00);
  const other = await money.signedIn();
  await buy(other);
  const { id, invoice } = await paymentOf(other);
  await money.atBank(invoice, 'pay');
  await money.payments.service.lookNow(id);
  await money.runDue();
  expect([await balanceOf(other), await cardsOf(other)]).toEqual([100_00, []]);
});

describe('a top-up with a saved card', () => {
  test('is on the balance at once, without the bank’s page; a repeated request pays once', async () => {
    const { driver, card } = await driverWithCard();
    for (const _ of [1, 2]) {
      expect((await buy(driver, { card }, `saved-card-top-up-${card}`)).body).toEqual({ page_url: ours() });
    }
    expect(await balanceOf(driver)).toBe(200_00);
    expect(await lastOf(driver)).toMatchObject({ amount: 100_00, payment_status: 'success', page_url: null });
    expect(await money.faults()).toEqual([]);
  });

  test('leads to the page of 3-D Secure when the bank requires it, and the page can be opened again', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletNeeds3ds: true });
    const { page_url } = (await buy(driver, { card })).body;
    expect(page_url).toMatch(/\/bank\/pay\//);
    expect(await lastOf(driver)).toMatchObject({ payment_status: null, page_url });
    expect(await balanceOf(driver)).toBe(100_00);
    await money.atBank((await paymentOf(driver)).invoice, 'pay');
    await money.pass(15_000);
    expect(await balanceOf(driver)).toBe(200_00);
    expect(await lastOf(driver)).toMatchObject({ payment_status: 'success', page_url: null });
    expect(await money.faults()).toEqual([]);
  });

  test('keeps the page of 3-D Secure when the notification of the bank is faster than its answer', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletPayment: 'error500 x1', statement: 'error500', webhooksSilent: true });
    await buy(driver, { card });
    const { id } = await paymentOf(driver);
    const { attach } = money.payments.savedCardPayment;
    await attach(id, { invoice: 'p2_named-by-the-notification', pageUrl: null });
    expect((await lastOf(driver))?.page_url).toBeNull();
    const page = 'https://bank.example/pay/3ds';
    await attach(id, { invoice: 'p2_named-by-the-notification', pageUrl: page });
    expect(await lastOf(driver)).toMatchObject({ payment_status: null, page_url: page });
  });

  test.each([
    ['59', 'not_enough_money', false],
    ['51', 'wrong_card_data', true],
  ])(
    'that is declined (%s) names the reason, moves no money, and an expired card is marked',
    async (code, why, isExpired) => {
      const { driver, card } = await driverWithCard();
      await money.switchBank({ walletDecline: code });
      expect((await buy(driver, { card })).body).toEqual({ page_url: ours() });
      expect(await lastOf(driver)).toMatchObject({ payment_status: 'failed', decline_reason: why });
      expect(await balanceOf(driver)).toBe(100_00);
      expect((await cardsOf(driver))[0]).toMatchObject({ id: card, is_expired: isExpired });
      const again = await buy(driver, { card });
      if (isExpired) expect(again.body).toMatchObject({ code: 'card_expired' });
      else expect(again.status).toBe(200);
    },
  );

  test('of another driver, or one that was removed, is refused and opens nothing', async () => {
    const { driver, card } = await driverWithCard();
    const stranger = await money.signedIn();
    expect((await buy(stranger, { card })).body).toMatchObject({ code: 'card_not_found' });
    expect(await lastOf(stranger)).toBeNull();
    await money.payments.savedCards.remove(driver.id, card);
    expect((await buy(driver, { card })).body).toMatchObject({ code: 'card_not_found' });
  });

  test.each(['no-answer-done', 'error500-done'])(
    'whose answer was lost (%s) is found in the statement, charged once and credited once',
    async (fault) => {
      const { driver, card } = await driverWithCard();
      await money.switchBank({ walletPayment: `${fault} x1`, webhooksSilent: true });
      expect((await buy(driver, { card })).body).toEqual({ page_url: ours() });
      expect(await lastOf(driver)).toMatchObject({ payment_status: null });
      await money.pass(30_000);
      expect(await balanceOf(driver)).toBe(200_00);
      const calls = (await money.exchanges.of((await paymentOf(driver)).id)).filter(
        ({ call }) => call === 'POST /wallet/payment',
      );
      expect(calls).toHaveLength(1);
      expect(await money.faults()).toEqual([]);
    },
  );

  test('that the bank made although it was given up is credited when the nightly statement brings it', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletPayment: 'error500-done x1', webhooksSilent: true, statement: 'error500' });
    await buy(driver, { card });
    await money.pass(5 * 60_000);
    expect(await lastOf(driver)).toMatchObject({ payment_status: 'failed' });
    await money.switchBank({ statement: 'off' });
    await money.payments.reconcile(money.clock.now());
    await money.pass(60_000);
    expect(await balanceOf(driver)).toBe(200_00);
    expect(await money.faults()).toEqual([]);
  });
});

test('where the bank holds deposits on saved cards, a top-up is charged all the same', async () => {
  const holding = await startMoneyApi({ savedCards: 'hold' });
  await holding.listen();
  try {
    const driver = await holding.signedIn();
    const top = (more: object) =>
      driver.client.call(buyBalance, { body: { amount: 50_00, redirect_to: '/balance', ...more } });
    await top({ save_card: true });
    const { id, invoice_id } = await holding.db
      .selectFrom('payments')
      .select(['id', 'invoice_id'])
      .where('user_id', '=', driver.id)
      .executeTakeFirstOrThrow();
    await holding.atBank(invoice_id, 'pay');
    await holding.payments.service.lookNow(id);
    await holding.runDue();
    const [card] = (await driver.client.call(savedCards)).body;
    await top({ card: card?.id });
    expect(await holding.wallet.balanceOf(driver.id)).toBe(100_00);
  } finally {
    await holding.close();
  }
});
