import { removeSavedCard, savedCards } from '@fpay/contract/cards';
import { kopecks } from '@fpay/contract/money';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { userDeleted } from '../../platform/user-tables.ts';
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
const cardsOf = async (driver: Driver) => (await driver.client.call(savedCards)).body;

async function openHold(driver: Driver, more: { card?: number; savesCard?: boolean }, deposit = 100_00) {
  const operation = await money.addOperation(driver.id, { deposit, paymentType: 'bank' });
  const redirectUrl = `https://fpay.test/status/${operation}`;
  const hold = {
    operation,
    user: driver.id,
    method: 'bank',
    deposit: kopecks(deposit),
    description: 'F1001',
    redirectUrl,
  } as const;
  const { id } = await money.steps.run((step) => money.payments.service.openHold(step, { ...hold, ...more }));
  return { id, operation, page: await money.payments.service.pageOf(id) };
}

/** A driver who has saved a card with an earlier payment. */
async function driverWithCard(): Promise<{ driver: Driver; card: number }> {
  const driver = await money.signedIn();
  const { id } = await openHold(driver, { savesCard: true });
  await money.atBank((await money.payment(id)).invoice, 'pay');
  await money.payments.service.lookNow(id);
  await money.runDue();
  await money.capture(id, 10_00);
  await money.runDue();
  const [card] = await cardsOf(driver);
  if (!card) throw new Error('no card was saved');
  return { driver, card: card.id };
}

describe('a card', () => {
  test('is saved only with consent, encrypted, and its token appears nowhere else', async () => {
    const { driver } = await driverWithCard();
    expect(await cardsOf(driver)).toEqual([
      { id: expect.any(Number), system: 'visa', last4: '4242', is_expired: false, added_at: expect.any(String) },
    ]);
    const other = await money.signedIn();
    await money.paidHold(other.id, 100_00);
    expect(await cardsOf(other)).toEqual([]);

    const row = await money.db
      .selectFrom('saved_cards')
      .selectAll()
      .where('user_id', '=', driver.id)
      .executeTakeFirstOrThrow();
    const token = await money.payments.savedCards.tokenOf(row.id);
    expect(token).toMatch(/^\w{14}$/);
    expect(row.token?.includes(token ?? '')).toBe(false);
    await openHold(driver, { card: row.id });
    const exchanged = await money.db.selectFrom('bank_exchanges').selectAll().execute();
    expect(JSON.stringify(exchanged)).not.toContain(token);
  });

  test('saved again replaces the older token, which the bank deletes', async () => {
    const { driver, card } = await driverWithCard();
    const token = await money.payments.savedCards.tokenOf(card);
    const { id } = await openHold(driver, { savesCard: true });
    await money.atBank((await money.payment(id)).invoice, 'pay');
    await money.payments.service.lookNow(id);
    await money.runDue();
    const [only, ...more] = await cardsOf(driver);
    expect([only?.id === card, more]).toEqual([false, []]);
    expect(await money.payments.savedCards.tokenOf(card)).toBeNull();
    expect(await money.bank.removeCard(token ?? '')).toMatchObject({ kind: 'refused' });
  });

  test('is removed at once and deleted at the bank, also when the bank is away at first', async () => {
    const { driver, card } = await driverWithCard();
    const stranger = await money.signedIn();
    expect((await stranger.client.call(removeSavedCard, { params: { id: String(card) } })).status).toBe(404);
    const token = (await money.payments.savedCards.tokenOf(card)) ?? '';
    await money.switchBank({ wallet: 'error500 x1' });
    expect((await driver.client.call(removeSavedCard, { params: { id: String(card) } })).status).toBeLessThan(300);
    expect(await cardsOf(driver)).toEqual([]);
    await money.runDue();
    expect(await money.payments.savedCards.tokenOf(card)).toBe(token);
    await money.pass(11 * 60_000);
    expect(await money.payments.savedCards.tokenOf(card)).toBeNull();
    expect(await money.bank.removeCard(token)).toMatchObject({ kind: 'refused' });
    expect((await driver.client.call(removeSavedCard, { params: { id: String(card) } })).status).toBe(404);
    await expect(openHold(driver, { card })).rejects.toMatchObject({ code: 'card_not_found' });
  });

  test('of a deleted account is deleted at the bank', async () => {
    const { driver, card } = await driverWithCard();
    await money.steps.run((step) => userDeleted([money.payments.userTables], step, driver.id));
    await money.runDue();
    expect(await money.payments.savedCards.tokenOf(card)).toBeNull();
  });

  test('of another driver pays nothing', async () => {
    const { card } = await driverWithCard();
    await expect(openHold(await money.signedIn(), { card })).rejects.toMatchObject({ code: 'card_not_found' });
  });
});

describe('a payment with a saved card', () => {
  test('is charged at once without a page, and what was not used goes back to the card', async () => {
    const { driver, card } = await driverWithCard();
    const { id, page } = await openHold(driver, { card });
    expect(page).toBeNull();
    expect(await money.payment(id)).toMatchObject({ state: 'success', captured: 100_00 });
    await money.capture(id, 35_00);
    await money.pass(5_000);
    expect(await money.payment(id)).toMatchObject({ captured: 100_00, refunded: 65_00, lost: 0 });
    expect(await money.faults()).toEqual([]);
  });

  test('goes back completely when the charge does not begin', async () => {
    const { driver, card } = await driverWithCard();
    const { id } = await openHold(driver, { card });
    await money.release(id);
    await money.pass(5_000);
    expect(await money.payment(id)).toMatchObject({ captured: 100_00, refunded: 100_00 });
    expect(await money.faults()).toEqual([]);
  });

  test('leads to the page of 3-D Secure when the bank requires it', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletNeeds3ds: true });
    const { id, page } = await openHold(driver, { card });
    expect(page).toMatch(/\/bank\/pay\//);
    expect((await money.payment(id)).state).toBe('processing');
    expect(await money.payments.service.pageOf(id)).toBe(page);
    await money.atBank((await money.payment(id)).invoice, 'pay');
    await money.pass(15_000);
    expect(await money.payment(id)).toMatchObject({ state: 'success', captured: 100_00 });
    expect(await money.payments.service.pageOf(id)).toBeNull();
  });

  test('that is declined ends with the bank’s reason, and the card stays', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletDecline: '59' });
    const { id } = await openHold(driver, { card });
    expect(await money.payment(id)).toMatchObject({
      state: 'failure',
      failureReason: 'Недостатньо коштів',
      errorCode: '59',
    });
    expect((await cardsOf(driver))[0]).toMatchObject({ id: card, is_expired: false });
  });

  test('that is declined as expired marks the card, which cannot be chosen any more', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletDecline: '51' });
    await openHold(driver, { card });
    expect((await cardsOf(driver))[0]).toMatchObject({ id: card, is_expired: true });
    await expect(openHold(driver, { card })).rejects.toMatchObject({ code: 'card_expired' });
  });

  test('with a token that the bank does not know fails, and the card is gone', async () => {
    const { driver, card } = await driverWithCard();
    await money.bank.removeCard((await money.payments.savedCards.tokenOf(card)) ?? '');
    const { id } = await openHold(driver, { card });
    expect((await money.payment(id)).state).toBe('failure');
    expect(await cardsOf(driver)).toEqual([]);
  });
});

describe('an answer that is lost', () => {
  test.each(['no-answer-done', 'error500-done'])(
    '(%s) is found in the statement, and the card is charged once',
    async (fault) => {
      const { driver, card } = await driverWithCard();
      await money.switchBank({ walletPayment: `${fault} x1`, webhooksSilent: true });
      const { id, page } = await openHold(driver, { card });
      expect([page, (await money.payment(id)).state]).toEqual([null, 'pending']);
      await money.pass(30_000);
      expect(await money.payment(id)).toMatchObject({ state: 'success', captured: 100_00 });
      const calls = (await money.exchanges.of(id)).filter(({ call }) => call === 'POST /wallet/payment');
      expect(calls).toHaveLength(1);
      expect(await money.faults()).toEqual([]);
    },
  );

  test('of a payment that was never made ends it after two minutes, without a second request', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletPayment: 'error500 x1' });
    const { id } = await openHold(driver, { card });
    await money.pass(100_000);
    expect((await money.payment(id)).state).toBe('pending');
    await money.pass(60_000);
    expect((await money.payment(id)).state).toBe('failure');
    const calls = (await money.exchanges.of(id)).filter(({ call }) => call === 'POST /wallet/payment');
    expect(calls).toHaveLength(1);
  });

  test('and that only the nightly statement brings is returned to the card', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletPayment: 'error500-done x1', webhooksSilent: true, statement: 'error500' });
    const { id } = await openHold(driver, { card });
    await money.pass(5 * 60_000);
    expect((await money.payment(id)).state).toBe('failure');
    await money.switchBank({ statement: 'off' });
    await money.payments.reconcile(money.clock.now());
    await money.pass(60_000);
    expect(await money.payment(id)).toMatchObject({ captured: 100_00, refunded: 100_00 });
    expect(await money.faults()).toEqual([]);
  });

  test('of a charge that its driver cancels meanwhile is returned too', async () => {
    const { driver, card } = await driverWithCard();
    await money.switchBank({ walletPayment: 'error500-done x1', webhooksSilent: true });
    const { id } = await openHold(driver, { card });
    await money.release(id);
    await money.pass(60_000);
    expect(await money.payment(id)).toMatchObject({ captured: 100_00, refunded: 100_00 });
    expect(await money.faults()).toEqual([]);
  });
});
