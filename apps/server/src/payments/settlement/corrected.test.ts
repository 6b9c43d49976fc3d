import { kopecks } from '@fpay/contract/money';
import { cancelBalanceTransaction } from '@fpay/contract/wallet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyApi, startMoneyApi } from '../testing/money-api.ts';

let money: MoneyApi;
beforeAll(async () => {
  money = await startMoneyApi();
  await money.listen();
});
afterAll(() => money.close());

const balance = (user: { id: number }) => money.wallet.balanceOf(user.id);

/** A deposit of 100 UAH from a balance of 300, settled for 65. */
async function settled() {
  const user = await money.signedIn();
  await money.give(user.id, 300_00);
  const operation = await money.addOperation(user.id, { deposit: 100_00 });
  const hold = {
    operation,
    user: user.id,
    method: 'bonuses',
    deposit: kopecks(100_00),
    description: 'Charging',
  } as const;
  const { id } = await money.steps.run((step) => money.payments.service.openHold(step, hold));
  await money.capture(id, 65_00);
  return { user, payment: id };
}

test('a settled total is corrected as often as it changes, also back and forth: each time the difference moves', async () => {
  const { user, payment } = await settled();
  for (const total of [80_00, 65_00, 80_00, 80_00, 50_00, 80_00]) {
    await money.capture(payment, total);
    expect([total, await balance(user), (await money.payment(payment)).captured]).toEqual([
      total,
      300_00 - total,
      total,
    ]);
    expect(await money.faults()).toEqual([]);
  }
});

test('the reversed payment of an operation returns what was earned after all corrections', async () => {
  const operator = await money.signedIn('Operator');
  const { user, payment } = await settled();
  await money.capture(payment, 50_00);
  expect(await balance(user)).toBe(250_00);
  const list = await money.wallet.transactions(user.id, {});
  const id = list.find(({ type }) => type === 'operation_payment')?.id ?? 0;
  const undone = await operator.client.call(cancelBalanceTransaction, {
    body: { id, cancel_payment: false, allow_partial: true },
  });
  expect([undone.status, undone.body, await balance(user)]).toEqual([
    200,
    { reversed: 50_00, approval_id: null },
    300_00,
  ]);
  expect(await money.faults()).toEqual([]);
});
