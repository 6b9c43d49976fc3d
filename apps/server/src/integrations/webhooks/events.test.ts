import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import type { HoldFilter } from '@fpay/contract/admin/filters';
import { addWebhook, webhookKinds } from '@fpay/contract/admin/integrations/webhooks';
import { adminOperation, lastOperations } from '@fpay/contract/admin/operations';
import { activeOperations, type OperationStatus, stopOperation } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';

/** What a receiver of webhooks and staff see of a charge and its payment, through the whole product. */
let stack: Stack;
let staff: Client;
let receiver: Receiver;
beforeAll(async () => {
  stack = await startStack();
  await stack.switchBank({ cancelMs: 0 });
  staff = (await stack.signedIn('SuperAdmin')).client;
  receiver = await startReceiver();
  const body = { name: 'Accounting', url: receiver.url, kinds: [...webhookKinds] };
  expect((await staff.call(addWebhook, { body })).status).toBe(200);
});
afterAll(async () => {
  await stack.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

const soon = { timeout: 20_000, interval: 50 };
const eventsOf = (operation: number) =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.operation.id === operation);
const kindsOf = (operation: number) => eventsOf(operation).map(({ type }) => type);
const untilSent = (operation: number, kinds: string[]) =>
  vi.waitFor(() => expect(kindsOf(operation).toSorted()).toEqual(kinds.toSorted()), soon);

/** The row of the list, which has the copied status and sum of the payment. */
async function shown(operation: number) {
  const { body } = await staff.call(lastOperations, { params: { count: '500' }, body: {} });
  const row = body.find(({ id }) => id === operation);
  return { status: row?.status, hold: row?.hold, payment: row?.payment };
}
const isListed = async (operation: number, hold: HoldFilter) => {
  const { body } = await staff.call(lastOperations, { params: { count: '500' }, body: { hold } });
  return body.some(({ id }) => id === operation);
};
const paidOf = async (operation: number) =>
  (await stack.db.selectFrom('operations').select('paid').where('id', '=', operation).executeTakeFirstOrThrow()).paid;

/** A card payment whose invoice is open. */
async function unpaid() {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const order = { connector: station.connector, amount: '150', payment_type: 'card' } as const;
  const { page_url: pageUrl } = (await stack.pay(client, order)).body;
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  return { ...station, client, id, pageUrl };
}

test('each event of a charge is sent with the state that the charge has then, and staff see its payment at every stage', async () => {
  const { device, client, id, pageUrl, number, connector } = await unpaid();
  await untilSent(id, ['operation.opened']);
  expect(await shown(id)).toEqual({ status: 'created', hold: 'created', payment: null });

  await stack.payAtBank(pageUrl);
  const { idTag } = await device.asked('RemoteStartTransaction');
  expect(await shown(id)).toMatchObject({ hold: 'hold', payment: null });
  const { transactionId } = await device.start(1, String(idTag), 1_000);
  await untilSent(id, ['operation.opened', 'operation.started']);
  await device.meter(1, transactionId, 1_200);
  await client.call(stopOperation, { params: { id: String(id) } });
  await device.stop(transactionId, 1_200);
  const { total } = await stack.until(client, id, 'finished');
  const charged = ['operation.opened', 'operation.started', 'operation.finished', 'operation.settled'];
  await untilSent(id, charged);
  expect(await shown(id)).toEqual({ status: 'finished', hold: 'success', payment: 'success' });
  expect([await isListed(id, 'ok'), await isListed(id, 'hold'), await paidOf(id)]).toEqual([true, false, total]);

  const { payment_id: payment } = (await staff.call(adminOperation, { params: { id: String(id) } })).body;
  const params = { paymentId: String(payment) };
  expect((await staff.call(cancelPayment, { params, body: { amount: kopecks(1_00) } })).status).toBe(200);
  await untilSent(id, [...charged, 'operation.refunded']);
  expect(await paidOf(id)).toBe(total - 1_00);
  expect(await shown(id)).toMatchObject({ hold: 'success', payment: 'success' });
  expect((await staff.call(cancelPayment, { params, body: {} })).status).toBe(200);
  await untilSent(id, [...charged, 'operation.refunded', 'operation.refunded']);
  expect(await shown(id)).toMatchObject({ hold: 'reversed', payment: 'reversed' });
  expect([await isListed(id, 'reversed'), await isListed(id, 'ok'), await paidOf(id)]).toEqual([true, false, 0]);

  const statusOf = (kind: string): OperationStatus[] =>
    eventsOf(id)
      .filter(({ type }) => type === kind)
      .map(({ data }) => data.operation.status);
  expect(statusOf('operation.opened')).toEqual(['created']);
  expect(statusOf('operation.started')).toEqual(['ongoing']);
  expect(statusOf('operation.finished')).toEqual(['pending_final_payment']);
  expect(statusOf('operation.settled')).toEqual(['finished']);
  const refunds = eventsOf(id).filter(({ type }) => type === 'operation.refunded');
  expect(refunds.map(({ data }) => data.refund).toSorted((a, b) => a.refunded_total - b.refunded_total)).toEqual([
    { amount: 1_00, refunded_total: 1_00 },
    { amount: total - 1_00, refunded_total: total },
  ]);
  const settled = eventsOf(id).find(({ type }) => type === 'operation.settled');
  expect(settled.data).toEqual({
    operation: {
      id,
      status: 'finished',
      station: number,
      connector,
      source: 'app',
      payment_type: 'bank',
      price: 15_00,
      energy_wh: 200,
      total,
      stop_cause: 'driver',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      started_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
    },
  });
}, 60_000);

test('a charge that is not paid is sent as opened and failed, and staff see the declined payment', async () => {
  const { client, id, pageUrl } = await unpaid();
  await stack.payAtBank(pageUrl, 'decline');
  await stack.until(client, id, 'failed_hold');
  await untilSent(id, ['operation.opened', 'operation.failed']);
  expect(await shown(id)).toEqual({ status: 'failed_hold', hold: 'failure', payment: 'failed' });
});

test('the copied columns of every operation are those of its payment', async () => {
  const { rows } = await sql`
    select o.id from operations o left join payments p on p.operation_id = o.id
    where o.hold_status <> coalesce(p.hold_status, 'none') or o.paid <> coalesce(p.captured - p.refunded, 0)`.execute(
    stack.db,
  );
  expect(rows).toEqual([]);
});
