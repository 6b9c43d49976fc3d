import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { activeOperations, getOperation } from '@fpay/contract/charging';
import { getHistory, getStats } from '@fpay/contract/history';
import { kopecks } from '@fpay/contract/money';
import { cancelBalanceTransaction } from '@fpay/contract/wallet';
import type { WentBack } from '@fpay/contract/went-back';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** What staff return of a charge, as its driver sees it. 200 Wh at 15 UAH a kWh are 3 UAH. */
let stack: Stack;
let operator: Client;
beforeAll(async () => {
  stack = await startStack();
  await stack.switchBank({ cancelMs: 0 });
  operator = (await stack.signedIn('Operator')).client;
});
afterAll(() => stack.close());

const soon = { timeout: 20_000, interval: 100 };

async function finished(paidBy: 'card' | 'balance') {
  const station = await stack.addScripted();
  const { client } = await stack.driver(paidBy === 'balance' ? 500_00 : 0);
  const paid = await stack.pay(client, { connector: station.connector, amount: '150', payment_type: paidBy });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  if (paidBy === 'card') await stack.payAtBank(paid.body.page_url);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 1_000);
  await station.device.meter(1, transactionId, 1_200);
  await station.device.stop(transactionId, 1_200);
  await stack.until(client, id, 'finished');
  const payment = await stack.db
    .selectFrom('payments')
    .select('id')
    .where('operation_id', '=', id)
    .executeTakeFirstOrThrow();
  return { client, id, payment: payment.id };
}
type Charge = Awaited<ReturnType<typeof finished>>;

const refund = ({ payment }: Charge, amount: number) =>
  operator.call(cancelPayment, {
    params: { paymentId: String(payment) },
    body: { amount, reason: 'The charge broke off' },
  });

async function shown({ client, id }: Charge) {
  const operation = (await client.call(getOperation, { params: { id: String(id) } })).body;
  const [row] = (await client.call(getHistory, { params: { range: 'week' } })).body;
  const [counted] = (await client.call(getStats, { params: { range: 'week' } })).body.transactions;
  return {
    operation: { total: operation.total, refunded: operation.refunded },
    history: { total: row?.total, refunded: row?.refunded },
    stats: { total: counted?.total, refunded: counted?.refunded },
  };
}

const noticesOf = async ({ id }: Charge) => {
  const rows = await stack.db
    .selectFrom('notices')
    .select('kind')
    .where('operation_id', '=', id)
    .where('kind', 'like', 'refunded%')
    .execute();
  return rows.length;
};

const back = (amount: number, ...returns: Partial<WentBack['returns'][number]>[]) => ({
  amount,
  returns: returns.map((one) => expect.objectContaining(one)),
});

test('a charge that nothing was returned of says so', async () => {
  const charge = await finished('card');
  expect(await shown(charge)).toEqual({
    operation: { total: 3_00, refunded: null },
    history: { total: 3_00, refunded: null },
    stats: { total: 3_00, refunded: 0 },
  });
});

test('refunds to the card: on their way, arrived, refused; each is a notice when it arrived, also by SMS', async () => {
  const charge = await finished('card');
  await stack.switchBank({ cancel: 'error500' });
  expect((await refund(charge, 1_00)).status).toBe(200);
  const onItsWay = back(1_00, { amount: kopecks(1_00), state: 'sent', ended_at: null, reason: 'The charge broke off' });
  expect(await shown(charge)).toEqual({
    operation: { total: 3_00, refunded: onItsWay },
    history: { total: 2_00, refunded: onItsWay },
    stats: { total: 2_00, refunded: 1_00 },
  });
  expect(await noticesOf(charge)).toBe(0);

  await stack.switchBank({ cancel: 'off' });
  expect((await refund(charge, 50)).status).toBe(200);
  await vi.waitFor(async () => {
    await sql`update refunds set next_action_at = now(), due_claim = due_claim + 1
      where payment_id = ${charge.payment} and next_action_at is not null`.execute(stack.db);
    const [first, second] = (await shown(charge)).operation.refunded?.returns ?? [];
    expect([first?.state, second?.state]).toEqual(['done', 'done']);
  }, soon);
  expect((await shown(charge)).operation.refunded?.amount).toBe(1_50);
  expect(await noticesOf(charge)).toBe(2);
  await sql`update refunds set status = 'failure' where payment_id = ${charge.payment} and amount = 50`.execute(
    stack.db,
  );
  expect((await shown(charge)).operation.refunded?.returns.map(({ state }) => state)).toEqual(['done', 'refused']);
}, 60_000);

test('a charge from the balance that was reversed', async () => {
  const charge = await finished('balance');
  const payment = await stack.db
    .selectFrom('transfers')
    .select('id')
    .where('operation_id', '=', charge.id)
    .where('kind', '=', 'operation_payment')
    .executeTakeFirstOrThrow();
  const body = { id: payment.id, cancel_payment: false, allow_partial: false };
  const answer = await (await stack.signedIn('Admin')).client.call(cancelBalanceTransaction, { body });
  expect(answer.status).toBe(200);
  const all = back(3_00, { amount: kopecks(3_00), state: 'done' });
  expect(await shown(charge)).toMatchObject({ operation: { refunded: all }, history: { total: 0, refunded: all } });
  expect(await noticesOf(charge)).toBe(1);
});
