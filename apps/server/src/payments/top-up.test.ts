import { buyBalance } from '@fpay/contract/wallet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyApi, startMoneyApi } from './testing/money-api.ts';

let money: MoneyApi;
beforeAll(async () => {
  money = await startMoneyApi();
  await money.switchBank({ cancelMs: 0 });
  await money.listen();
});
afterAll(() => money.close());

const balance = (user: { id: number }) => money.wallet.balanceOf(user.id);
const look = async (payment: { id: number }) => {
  await money.payments.service.lookNow(payment.id);
  await money.runDue();
};
const anomaliesOf = async (payment: { id: number }) =>
  (await money.payments.anomalies.open({ limit: 100 }))
    .filter(({ payment_id }) => payment_id === payment.id)
    .map(({ kind, details }) => ({ kind, details }));

/** A user who has just topped up 100 UAH. */
async function toppedUp() {
  const user = await money.addUser();
  const payment = await money.topUp(user.id, 100_00);
  await money.atBank(payment.invoice, 'pay');
  await look(payment);
  expect(await balance(user)).toBe(100_00);
  return { user, payment };
}

test.each([
  ['has it', 0, { balance: 0, taken: 100_00, lost: 0 }],
  ['has spent a part', 70_00, { balance: 0, taken: 30_00, lost: 70_00 }],
  ['has spent it all', 100_00, { balance: 0, taken: 0, lost: 100_00 }],
] as const)(
  'a top-up that its card’s owner took back leaves the wallet, as far as the wallet %s; the rest is lost, and staff see the user',
  async (_what, spent, expected) => {
    const { user, payment } = await toppedUp();
    const staff = await money.addUser('Admin');
    if (spent > 0) {
      const order = { staff: staff.id, user: user.id, amount: spent as never, requestKey: `spent:${user.id}` };
      await money.staffMoney.decrease(order);
    }
    await money.atBank(payment.invoice, 'chargeback');
    for (const _ of [1, 2]) await look(payment);
    expect(await balance(user)).toBe(expected.balance);
    const { taken, lost } = expected;
    expect(await anomaliesOf(payment)).toContainEqual({
      kind: 'top_up_chargeback',
      details: { user: user.id, amount: 100_00, taken, lost },
    });
    expect(await money.payment(payment.id)).toMatchObject({ state: 'reversed', captured: 100_00, refunded: 100_00 });
    expect(await money.faults()).toEqual([]);
    const [newest] = await money.wallet.transactions(user.id, {});
    if (taken > 0) expect(newest).toMatchObject({ type: 'payment_reversal', amount: -taken });
  },
);

test('money that comes for an account which was deleted in the meantime is returned to the card', async () => {
  const user = await money.addUser();
  const payment = await money.topUp(user.id, 20_00);
  await money.pass(30 * 60_000);
  expect((await money.payment(payment.id)).state).toBe('expired');
  await money.db
    .updateTable('users')
    .set({ deleted_at: money.clock.now(), phone_number: `DELETED${user.id}` })
    .where('id', '=', user.id)
    .execute();
  await money.atBank(payment.invoice, 'pay', { late: true });
  await look(payment);
  expect(await balance(user)).toBe(0);
  await money.pass(10_000);
  expect(await money.payment(payment.id)).toMatchObject({ state: 'reversed', captured: 20_00, refunded: 20_00 });
  expect(await money.bank.invoiceStatus(payment.invoice ?? '')).toMatchObject({
    value: { status: 'reversed', finalAmount: 0 },
  });
  expect(await balance(user)).toBe(0);
  expect(await money.faults()).toEqual([]);
});

test('one user opens at most ten top-ups an hour; a repeated request counts once', async () => {
  const [user, other] = [await money.signedIn(), await money.signedIn()];
  const buy = (nonce: string, who = user) =>
    who.client.call(buyBalance, { body: { amount: 10_00, redirect_to: '/balance' } }, { nonce });
  for (let count = 1; count <= 10; count += 1) {
    expect((await buy(`top-up-number-${count}-of-ten`)).status).toBe(200);
    if (count === 1) expect((await buy('top-up-number-1-of-ten')).status).toBe(200);
  }
  const refused = await buy('top-up-number-11-of-ten');
  expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after')) > 0]).toEqual([
    429,
    'too_many_attempts',
    true,
  ]);
  expect((await buy('the-first-of-another-one', other)).status).toBe(200);
  money.manual.advance(60 * 60_000);
  expect((await buy('an-hour-later-once-more')).status).toBe(200);
});
