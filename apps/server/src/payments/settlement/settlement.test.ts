import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lossWithin, settlementOf } from '../payment.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';

let money: MoneyFixture;
beforeAll(async () => {
  money = await startMoney();
  await money.switchBank({ cancelMs: 0 });
});
afterAll(() => money.close());

test.each([
  ['all is paid', { total: 80, kept: 80, chargedBack: 0 }, { refund: 0, regained: 0, lost: 0 }],
  ['too much was captured', { total: 80, kept: 100, chargedBack: 0 }, { refund: 20, regained: 0, lost: 0 }],
  ['too little was captured', { total: 80, kept: 30, chargedBack: 0 }, { refund: 0, regained: 0, lost: 50 }],
  ['a chargeback is no second loss', { total: 80, kept: 0, chargedBack: 80 }, { refund: 0, regained: 0, lost: 0 }],
  ['a chargeback was higher', { total: 60, kept: 0, chargedBack: 80 }, { refund: 0, regained: 20, lost: 0 }],
  ['a chargeback took a part', { total: 60, kept: 50, chargedBack: 30 }, { refund: 20, regained: 0, lost: 0 }],
  [
    'a refund is under way for money that was charged back',
    { total: 40, kept: -60, chargedBack: 100 },
    { refund: 0, regained: 0, lost: 0 },
  ],
  ['nothing was charged', { total: 0, kept: 100, chargedBack: 0 }, { refund: 100, regained: 0, lost: 0 }],
] as const)('a settlement where %s', (_what, given, expected) => {
  expect(settlementOf(given)).toEqual(expected);
});

/** A hold of 300 UAH that was captured with 300. */
async function captured(total = 300_00) {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 300_00);
  await money.capture(held.id, total);
  await money.runDue();
  return held;
}

const staffRefunds = async (payment: number, amount: number) => {
  const staff = await money.addUser('Admin');
  const order = { staff: staff.id, payment, requestKey: `refund:${payment}` };
  await money.payments.staffActions.act(order, { action: 'cancel_payment', amount: kopecks(amount) });
};

async function atRest(payment: number) {
  await money.runDue();
  await money.pass(70_000);
  const { captured: taken, refunded, lost } = await money.payment(payment);
  expect(await money.faults()).toEqual([]);
  return { kept: taken - refunded, lost, ...(await accountsOf(payment)) };
}

/** What the payment has left on the network's own accounts. */
async function accountsOf(payment: number) {
  const { rows } = await sql<{ revenue: number; losses: number }>`
    select coalesce(sum(case when to_account = 2 or to_account in (select id from accounts where kind = 'earned') then amount else 0 end
        - case when from_account = 2 or from_account in (select id from accounts where kind = 'earned') then amount else 0 end), 0)::bigint as revenue,
      coalesce(sum(case when to_account = 5 then amount when from_account = 5 then -amount end), 0)::bigint as losses
    from transfers where payment_id = ${payment}`.execute(money.db);
  return rows[0];
}

describe('a total that changes after the capture', () => {
  test('above what staff left of it: the difference is lost', async () => {
    const { id } = await captured();
    await staffRefunds(id, 200_00);
    await money.capture(id, 270_00);
    expect(await atRest(id)).toEqual({ kept: 100_00, lost: 170_00, revenue: 270_00, losses: -170_00 });
  });

  test('up and down again: the loss follows it', async () => {
    const { id } = await captured(100_00);
    await money.capture(id, 150_00);
    expect(await atRest(id)).toMatchObject({ kept: 100_00, lost: 50_00 });
    await money.capture(id, 120_00);
    expect(await atRest(id)).toEqual({ kept: 100_00, lost: 20_00, revenue: 120_00, losses: -20_00 });
    await money.capture(id, 90_00);
    expect(await atRest(id)).toEqual({ kept: 90_00, lost: 0, revenue: 90_00, losses: 0 });
  });

  test('below a chargeback: only the price of the charge is a loss', async () => {
    const held = await captured(100_00);
    await money.atBank(held.invoice, 'chargeback');
    await money.payments.service.lookNow(held.id);
    await money.runDue();
    expect(await atRest(held.id)).toEqual({ kept: 0, lost: 0, revenue: 100_00, losses: -100_00 });
    await money.capture(held.id, 80_00);
    expect(await atRest(held.id)).toEqual({ kept: 0, lost: 0, revenue: 80_00, losses: -80_00 });
  });
});

test('a refund that the bank refuses pays for the charge after all', async () => {
  const { id } = await captured();
  await money.switchBank({ reference: `FPAY-${id}`, cancelEndsIn: 'failure' });
  await staffRefunds(id, 200_00);
  await money.capture(id, 270_00);
  expect(await money.payment(id)).toMatchObject({ lost: 170_00 });
  expect(await atRest(id)).toEqual({ kept: 300_00, lost: 0, revenue: 300_00, losses: 0 });
});

/** The money was captured in the merchant's account at the bank, before the charge ended. */
async function capturedAtBank() {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 300_00);
  await money.bank.finalize(held.invoice ?? '', kopecks(300_00), null);
  await money.payments.service.lookNow(held.id);
  return held;
}

test.each([
  ['before the refusal is known', true, captured],
  ['after it', false, captured],
  ['before the refusal is known, of money that the bank captured itself', true, capturedAtBank],
  ['after it, of money that the bank captured itself', false, capturedAtBank],
])(
  'a refund that was refused because the bank returned a part itself is requested again without that part, %s',
  async (_when, isFirst, pay) => {
    const held = await pay();
    await money.steps.run((step) => money.payments.service.capture(step, held.id, kopecks(100_00)));
    // 200 are to be returned, and before they are requested 150 of the 300 are returned in the merchant's account at
    // the bank.
    await money.bank.refund(held.invoice ?? '', {
      amount: kopecks(150_00),
      ref: `cabinet-${held.id}`,
      fiscalItem: null,
    });
    if (isFirst) await money.payments.service.lookNow(held.id);
    await money.runDue();
    await money.pass(70_000);
    await money.payments.service.lookNow(held.id);
    expect(await atRest(held.id)).toEqual({ kept: 100_00, lost: 0, revenue: 100_00, losses: 0 });
  },
);

test.each([
  ['known before the end', ['look', 'end']],
  ['known at the end', ['end', 'look']],
  ['known with our refund of the rest', ['end']],
] as const)(
  'a return by the bank of captured money above and below the total, %s: only what was owed is a loss',
  async (_when, order) => {
    const user = await money.addUser();
    const held = await money.paidHold(user.id, 21_00);
    const invoice = held.invoice ?? '';
    await money.bank.finalize(invoice, kopecks(17_77), null);
    await money.payments.service.lookNow(held.id);
    await money.bank.refund(invoice, { amount: kopecks(14_63), ref: `cabinet-${held.id}`, fiscalItem: null });
    for (const what of order) {
      if (what === 'look') await money.payments.service.lookNow(held.id);
      else await money.steps.run((step) => money.payments.service.capture(step, held.id, kopecks(7_17)));
    }
    await money.runDue();
    await money.pass(70_000);
    await money.payments.service.lookNow(held.id);
    expect(await atRest(held.id)).toMatchObject({ kept: 3_14, revenue: 7_17, losses: -4_03 });
  },
);

test.each([
  'look return look end',
  'look return end look',
  'look second return end look',
  'look end look return',
  'look due end return second look',
  'second return end due look',
])(
  'a return by the bank of nearly all that it captured, around the end of the charge (%s): only what was owed is a loss',
  async (order) => {
    const user = await money.addUser();
    const held = await money.paidHold(user.id, 52_00);
    const invoice = held.invoice ?? '';
    const events = {
      end: () => money.steps.run((step) => money.payments.service.capture(step, held.id, kopecks(5_30))),
      return: () => money.bank.refund(invoice, { amount: kopecks(37_17), ref: `cabinet-${held.id}`, fiscalItem: null }),
      look: () => money.payments.service.lookNow(held.id),
      due: () => money.runDue(),
      second: () => money.pass(1_000),
    };
    await money.bank.finalize(invoice, kopecks(41_62), null);
    for (const event of order.split(' ') as (keyof typeof events)[]) await events[event]();
    await money.pass(70_000);
    await money.payments.service.lookNow(held.id);
    expect(await atRest(held.id)).toMatchObject({ kept: 4_45, revenue: 5_30, losses: -85 });
  },
);

test('a refund by staff whose status comes from the bank before its answer is no loss', async () => {
  const held = await captured();
  await staffRefunds(held.id, 300_00);
  await money.runDue();
  await money.payments.service.lookNow(held.id);
  await money.pass(70_000);
  expect(await atRest(held.id)).toEqual({ kept: 0, lost: 0, revenue: 0, losses: 0 });
});

test('a shortfall of a balance that a lower total covers is no longer lost', async () => {
  const user = await money.addUser();
  await money.give(user.id, 100_00);
  const operation = await money.addOperation(user.id, { deposit: 100_00 });
  const hold = {
    operation,
    user: user.id,
    method: 'bonuses',
    deposit: kopecks(100_00),
    description: 'Charging',
  } as const;
  const { id } = await money.steps.run((step) => money.payments.service.openHold(step, hold));
  await money.capture(id, 50_00);
  // What was returned is spent elsewhere, so that the later total is not covered.
  const staff = await money.addUser('Admin');
  await money.staffMoney.decrease({ staff: staff.id, user: user.id, amount: kopecks(50_00), requestKey: 'spent' });
  await money.capture(id, 80_00);
  expect(await money.payment(id)).toMatchObject({ captured: 50_00, lost: 30_00 });
  await money.capture(id, 60_00);
  expect(await money.payment(id)).toMatchObject({ captured: 50_00, lost: 10_00 });
  await money.capture(id, 40_00);
  expect(await money.payment(id)).toMatchObject({ captured: 40_00, lost: 0 });
  expect(await money.faults()).toEqual([]);
});

test.each([
  ['nothing is missing', 0, { total: 500, kept: 500, given: 0, chargedBack: 0 }, 0],
  ['no payment came', 0, { total: 500, kept: 0, given: 0, chargedBack: 0 }, 500],
  ['staff returned what is missing', 0, { total: 500, kept: 200, given: 300, chargedBack: 0 }, 0],
  ['staff returned a part of it', 0, { total: 500, kept: 100, given: 300, chargedBack: 0 }, 100],
  ['the bank took what is missing', 0, { total: 500, kept: 0, given: 0, chargedBack: 500 }, 0],
  ['the bank captured after the loss was booked', 500, { total: 500, kept: 500, given: 0, chargedBack: 0 }, 0],
  ['the bank captured a part of it after all', 500, { total: 500, kept: 300, given: 0, chargedBack: 0 }, 200],
  ['a loss of before, and staff returned the rest', 200, { total: 500, kept: 0, given: 300, chargedBack: 0 }, 200],
  ['more is kept than the charge costs', 100, { total: 500, kept: 600, given: 0, chargedBack: 0 }, 0],
])('a loss counted again: %s', (_name, booked, missing, expected) => {
  expect(lossWithin(booked, missing)).toBe(expected);
});
