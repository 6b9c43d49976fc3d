import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { approvals, approve, decline } from '@fpay/contract/admin/approvals';
import { askRefund } from '@fpay/contract/admin/ask-refund';
import { auditList } from '@fpay/contract/admin/audit';
import { operationTimeline } from '@fpay/contract/admin/operations';
import { newPayment } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
let support: Awaited<ReturnType<Stack['signedIn']>>;
let operator: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  [support, operator] = [await stack.signedIn('Support'), await stack.signedIn('Operator')];
}, 60_000);
afterAll(() => stack.close());

const wait = { timeout: 20_000, interval: 100 };
const paymentRow = (id: number) =>
  stack.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A payment of 1.50 UAH that the bank has captured. */
async function captured() {
  const station = await stack.addScripted();
  const { client, id: user } = await stack.driver();
  const card = { connector: station.connector, amount: '100', payment_type: 'card', target: 'uah' } as const;
  const { body } = await client.call(newPayment, { body: card });
  await stack.payAtBank(body.page_url);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 0);
  await station.device.stop(transactionId, 100);
  const { id, operation_id: operation } = await stack.db
    .selectFrom('payments')
    .select(['id', 'operation_id'])
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  await vi.waitFor(async () => expect((await paymentRow(id)).status).toBe('success'), wait);
  const { captured: sum } = await paymentRow(id);
  return { id, operation: operation ?? 0, sum, params: { paymentId: String(id) } };
}

async function timelineOf(operation: number): Promise<string[]> {
  const { body } = await support.client.call(operationTimeline, { params: { id: String(operation) } });
  return body.flatMap(({ kind, text }) => (kind === 'staff' ? [text?.split(' by ')[0] ?? ''] : []));
}

test('support asks with sum and reason; the refund happens when somebody who may approves it', async () => {
  const { id, operation, sum, params } = await captured();
  expect((await support.client.call(cancelPayment, { params, body: {} })).status).toBe(403);
  const reason = 'Too much was charged';
  const asked = await support.client.call(askRefund, { params, body: { amount: 50, reason } } as never);
  expect([asked.status, (await paymentRow(id)).refunded]).toEqual([200, 0]);
  const { approval_id: waits } = asked.body;
  expect((await support.client.call(approvals)).body).toEqual([]);
  const listed = (await operator.client.call(approvals)).body.find((one) => one.id === waits);
  expect(listed).toMatchObject({ action: 'payment-action', amount: 50, reason, is_mine_to_decide: true });
  const decided = { params: { id: String(waits) } };
  expect((await support.client.call(approve, decided)).status).toBe(403);
  expect((await operator.client.call(approve, decided)).status).toBe(200);
  await vi.waitFor(async () => expect((await paymentRow(id)).refunded).toBe(50), wait);
  const boss = await stack.signedIn('SuperAdmin');
  const { body } = await boss.client.call(auditList, { query: { action: 'payment.cancel', subject_id: String(id) } });
  expect(body.map(({ after, personal }) => [after, personal])).toEqual([[{ amount: 50 }, { reason }]]);
  expect(await timelineOf(operation)).toEqual([
    'payment.request-payment-action',
    'payment.approve-payment-action',
    'payment.cancel',
  ]);
  expect(sum).toBeGreaterThan(50);
});

test('a request that is declined returns nothing, and another one can follow; two never wait together', async () => {
  const { id, operation, sum, params } = await captured();
  const ask = (amount?: number) =>
    support.client.call(askRefund, { params, body: amount === undefined ? {} : { amount } } as never);
  expect((await ask(sum + 1)).status).toBe(409);
  const first = await ask();
  expect([first.status, (await ask()).status]).toEqual([200, 409]);
  await operator.client.call(decline, { params: { id: String(first.body.approval_id) } });
  expect((await paymentRow(id)).refunded).toBe(0);
  expect(await timelineOf(operation)).toEqual(['payment.request-payment-action', 'payment.decline-payment-action']);
  expect((await ask()).status).toBe(200);
  const open = await stack.db
    .selectFrom('staff_approvals')
    .select('worth')
    .where('subject_id', '=', id)
    .where('outcome', 'is', null)
    .execute();
  expect(open).toEqual([{ worth: sum }]);
});

test('nothing is asked for own money, nor for a payment that was not captured', async () => {
  const { params, id } = await captured();
  await stack.db.updateTable('payments').set({ user_id: support.id }).where('id', '=', id).execute();
  const own = await support.client.call(askRefund, { params, body: {} });
  expect([own.status, own.body.code]).toEqual([403, 'own_money']);
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const card = { connector: station.connector, amount: '100', payment_type: 'card', target: 'uah' } as const;
  const { body } = await client.call(newPayment, { body: card });
  await stack.payAtBank(body.page_url);
  const held = await stack.db.selectFrom('payments').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const refused = await support.client.call(askRefund, { params: { paymentId: String(held.id) }, body: {} });
  expect([refused.status, refused.body.code]).toEqual([409, 'payment_not_captured']);
});
