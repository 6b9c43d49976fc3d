import type { OperationStatus } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { overriddenPayments, paymentRules } from './ledger-rules.ts';

let money: MoneyFixture;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

async function charged(method: 'bank' | 'bonuses'): Promise<number> {
  const user = await money.addUser();
  if (method === 'bank') {
    const held = await money.paidHold(user.id, 100_00);
    await money.capture(held.id, 80_00);
    await money.runDue();
    return held.id;
  }
  await money.give(user.id, 100_00);
  const operation = await money.addOperation(user.id, { deposit: 100_00 });
  const hold = { operation, user: user.id, method, deposit: kopecks(100_00), description: 'Charging' } as const;
  const payment = await money.steps.run((step) => money.payments.service.openHold(step, hold));
  await money.capture(payment.id, 80_00);
  return payment.id;
}

/** A refund that is reserved and not yet requested at the bank. */
async function beingReturned(): Promise<number> {
  const id = await charged('bank');
  await money.capture(id, 60_00);
  return id;
}

test.each([
  ['a card payment agrees with clearing', () => charged('bank'), 'payments', 'captured = captured - 1'],
  ['a deposit from the balance agrees with its reserve', () => charged('bonuses'), 'payments', "status = 'hold'"],
  ['an operation has left what its payment kept', () => charged('bonuses'), 'payments', 'captured = captured + 1'],
  ['a loss is booked as the payment says', () => charged('bank'), 'payments', 'lost = 5'],
  ['refunds under way agree with their account', beingReturned, 'refunds', 'amount = amount + 1'],
] as const)('the checker finds where it is not true that %s', async (rule, made, table, change) => {
  const payment = await made();
  expect(await money.faults()).toEqual([]);
  const row = sql.raw(table === 'payments' ? `id = ${payment}` : `payment_id = ${payment}`);
  const spoiled = sql`update ${sql.table(table)} set ${sql.raw(change)} where ${row}`;
  // All of it in a step that is rolled back, because the other cases start from correct books.
  const found = await money.db
    .transaction()
    .execute(async (db) => {
      await spoiled.execute(db);
      throw await faultsIn(db);
    })
    .catch((faults: unknown) => faults);
  expect(found).toContainEqual({ rule, subject: `payment ${payment}`, details: expect.any(Object) });
});

/** An operation that ended like this, with a card payment that captured 80 of 100 UAH and returned nothing. */
async function ended(operation: { status: OperationStatus; total: number; lost?: number }) {
  const id = await charged('bank');
  const { operation: of } = await money.payment(id);
  await money.db.updateTable('operations').set(operation).where('id', '=', of).execute();
  return of;
}

const fits = 'what an ended operation kept fits its total and its loss';
const isFinal = 'an operation whose payment is final waits for it no longer';
const agrees = 'an operation lost what its payment says';

test.each([
  ['captured less than its total and lost nothing', { status: 'finished', total: 90_00 }, [fits]],
  ['captured more than its total', { status: 'finished', total: 70_00 }, [fits]],
  ['lost more than is missing', { status: 'finished', total: 90_00, lost: 20_00 }, [fits, agrees]],
  ['lost what is missing, without a transfer', { status: 'finished', total: 90_00, lost: 10_00 }, [agrees]],
  ['kept money though it never happened', { status: 'failed', total: 0 }, [fits]],
  ['kept money though it was canceled', { status: 'canceled', total: 0 }, [fits]],
  ['waits for a capture that was made', { status: 'pending_final_payment', total: 80_00 }, [isFinal]],
  ['is paid', { status: 'finished', total: 80_00 }, []],
  ['is still under way', { status: 'ongoing', total: 10_00 }, []],
] as const)('the checker judges an operation that %s', async (_what, operation, rules) => {
  const id = await ended(operation);
  const found = (await money.faults()).filter(({ subject }) => subject === `operation ${id}`);
  expect(found.map(({ rule }) => rule).sort()).toEqual([...rules].sort());
  await money.db.updateTable('operations').set({ status: 'ongoing', total: 0, lost: 0 }).where('id', '=', id).execute();
});

test.each([
  ['what is missing from the total', 80_00, []],
  ['more than that', 70_00, ['the loss by a chargeback is what is missing from the total']],
])('the checker judges a chargeback whose loss is %s', async (_what, total, rules) => {
  const id = await ended({ status: 'finished', total });
  const { id: payment, invoice_id } = await money.db
    .selectFrom('payments')
    .select(['id', 'invoice_id'])
    .where('operation_id', '=', id)
    .executeTakeFirstOrThrow();
  await money.atBank(invoice_id, 'chargeback');
  await money.payments.service.lookNow(payment);
  await money.runDue();
  const found = (await money.faults()).filter(({ subject }) => subject === `operation ${id}`);
  expect(found.map(({ rule }) => rule)).toEqual(rules);
  await money.db.updateTable('operations').set({ status: 'ongoing', total: 0 }).where('id', '=', id).execute();
});

test('a sum that staff refunded, or that is being returned to the card, is no fault', async () => {
  const refunded = await charged('bank');
  const staff = await money.addUser('Operator');
  const order = { staff: staff.id, payment: refunded, requestKey: 'goodwill' };
  await money.payments.staffActions.act(order, { action: 'cancel_payment', amount: kopecks(30_00) });
  const { operation } = await money.payment(refunded);
  await money.endCharge(operation ?? 0, 80_00);
  expect(await money.faults()).toEqual([]);
  await money.pass(60_000);
  expect(await money.faults()).toEqual([]);
  const lowered = await charged('bank');
  await money.capture(lowered, 60_00);
  await money.endCharge((await money.payment(lowered)).operation ?? 0, 60_00);
  expect(await money.faults()).toEqual([]);
});

async function faultsIn(db: MoneyFixture['db']) {
  const found = [];
  for (const rule of paymentRules) found.push(...(await rule(db)));
  return found;
}

test('a payment forced by staff is listed separately, not judged', async () => {
  const staff = await money.addUser('Operator');
  const held = await money.paidHold((await money.addUser()).id, 300_00);
  const order = { staff: staff.id, payment: held.id, requestKey: 'forced' };
  await money.payments.staffActions.act(order, { action: 'force_hold', hold: 'success' });
  await money.db.updateTable('payments').set({ captured: 300_00 }).where('id', '=', held.id).execute();
  expect(await money.faults()).toEqual([]);
  expect(await overriddenPayments(money.db)).toEqual([{ id: held.id, status: 'success', amount: 300_00 }]);
  await money.db.updateTable('payments').set({ is_overridden: false }).where('id', '=', held.id).execute();
  expect(await money.faults()).toMatchObject([{ subject: `payment ${held.id}` }, { subject: `payment ${held.id}` }]);
  await money.db.updateTable('payments').set({ captured: 0 }).where('id', '=', held.id).execute();
});

test('a transfer to an account that does not exist is found', async () => {
  const owner = new pg.Client({ connectionString: money.database.ownerUrl });
  await owner.connect();
  await owner.query(`insert into transfers (key, kind, from_account, to_account, amount, created_at)
    values ('to-nowhere', 'admin', 4, 99999999, 5, now())`);
  await owner.end();
  expect(await money.faults()).toContainEqual(expect.objectContaining({ rule: 'both ends of a transfer exist' }));
});
