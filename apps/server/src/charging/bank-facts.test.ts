import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { cancelHold, cancelPayment, finalizePayment } from '@fpay/contract/payments';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** What the bank or staff do to the money of a charge before it has ended. None of it may keep the charge from its end. */
let world: World;
let operator: Client;
beforeAll(async () => {
  world = await startWorld();
  await world.switchBank({ cancelMs: 0 });
  operator = (await world.signedIn('Operator')).client;
});
afterAll(() => world.close());

const patience = { timeout: 20_000, interval: 100 };

/** The merchant's own cabinet at the bank: the same calls, but not made by the server. */
async function inCabinet(call: 'finalize' | 'cancel', scene: Scene, more: object = {}): Promise<void> {
  const answer = await fetch(`${world.bankUrl}/api/merchant/invoice/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-token': 'sandbox-merchant-token' },
    body: JSON.stringify({ invoiceId: new URL(scene.pageUrl).pathname.split('/').at(-1), ...more }),
  });
  expect(answer.status).toBe(200);
}

const bankCaptures = (scene: Scene, amount: number) => seen('finalize', scene, { amount }, { status: 'success' });
const bankRefunds = (scene: Scene, amount: number) => seen('cancel', scene, { amount }, { refunded: amount });

/** Does it at the bank and waits until the payment shows it. */
async function seen(call: 'finalize' | 'cancel', scene: Scene, more: object, payment: object): Promise<void> {
  await inCabinet(call, scene, more);
  await vi.waitFor(async () => {
    await lookAtBank(scene);
    expect(await paymentOf(scene)).toMatchObject(payment);
  }, patience);
}

const lookAtBank = (scene: Scene) =>
  sql`update payments set next_action_at = now(), due_claim = due_claim + 1 where operation_id = ${scene.id}`.execute(
    world.db,
  );
const paymentOf = (scene: Scene) =>
  world.db.selectFrom('payments').selectAll().where('operation_id', '=', scene.id).executeTakeFirstOrThrow();
const operationOf = (scene: Scene) =>
  world.db.selectFrom('operations').selectAll().where('id', '=', scene.id).executeTakeFirstOrThrow();

async function unpaid(amount = '150') {
  const station = await world.addScripted();
  const { client } = await world.driver();
  const { body } = await world.pay(client, { connector: station.connector, amount, payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  return { ...station, client, id, pageUrl: body.page_url };
}
type Scene = Awaited<ReturnType<typeof unpaid>>;

/** A charge under way on a card with a deposit of 150 UAH; 15 UAH a kWh. */
async function charging(amount?: string) {
  const scene = await unpaid(amount);
  await world.payAtBank(scene.pageUrl);
  const { idTag } = await scene.device.asked('RemoteStartTransaction');
  const { transactionId } = await scene.device.start(1, String(idTag), 1_000);
  return { ...scene, transactionId };
}

/** Once everything has come to rest: what operation, payment, bank and books say, in one. */
async function settled(scene: Scene, kept: number) {
  await vi.waitFor(async () => expect((await world.atBank(scene.pageUrl)).finalAmount ?? 0).toBe(kept), patience);
  await vi.waitFor(async () => {
    await lookAtBank(scene);
    const { captured, refunded } = await paymentOf(scene);
    expect(captured - refunded).toBe(kept);
  }, patience);
  await world.checkBooks();
  const { status, total, lost } = await operationOf(scene);
  return { status, total, lost, booked: (await paymentOf(scene)).lost };
}

test.each([
  ['less than the total', 1_00, { kept: 1_00, lost: 2_00 }],
  ['exactly the total', 3_00, { kept: 3_00, lost: 0 }],
  ['more than the total', 50_00, { kept: 3_00, lost: 0 }],
] as const)(
  'a capture at the bank of %s, while power flows: the charge goes on and ends settled',
  async (_what, captured, { kept, lost }) => {
    const scene = await charging();
    await bankCaptures(scene, captured);
    expect((await operationOf(scene)).status).toBe('ongoing');
    await scene.device.stop(scene.transactionId, 1_200);
    await world.until(scene.client, scene.id, 'finished');
    expect(await settled(scene, kept)).toEqual({ status: 'finished', total: 3_00, lost, booked: lost });
  },
  60_000,
);

test('a capture of the whole deposit and a charge up to its limit leave no debt', async () => {
  const scene = await charging('3');
  await bankCaptures(scene, 3_00);
  await scene.device.stop(scene.transactionId, 1_210);
  await world.until(scene.client, scene.id, 'finished');
  expect(await settled(scene, 3_00)).toEqual({ status: 'finished', total: 3_00, lost: 0, booked: 0 });
}, 60_000);

test('a refund at the bank before the end: what is missing of the total is lost, and lost only once', async () => {
  const scene = await charging();
  await bankCaptures(scene, 10_00);
  await bankRefunds(scene, 8_00);
  await scene.device.stop(scene.transactionId, 1_200);
  await world.until(scene.client, scene.id, 'finished');
  expect(await settled(scene, 2_00)).toEqual({ status: 'finished', total: 3_00, lost: 1_00, booked: 1_00 });
  // Earned is the worth of the energy; the rest of what came and went again is neither earned nor lost.
  expect(await resultOf(scene)).toEqual({ revenue: 3_00, losses: -1_00 });
}, 60_000);

/** What an operation has left on the network's own accounts. */
async function resultOf(scene: Scene) {
  const { rows } = await sql<{ revenue: number; losses: number }>`
    select coalesce(sum(case when to_account = 2 then amount when from_account = 2 then -amount end), 0)::bigint as revenue,
      coalesce(sum(case when to_account = 5 then amount when from_account = 5 then -amount end), 0)::bigint as losses
    from transfers where payment_id = (select id from payments where operation_id = ${scene.id})`.execute(world.db);
  return rows[0];
}

test('a hold that goes away in the middle: the total is lost', async () => {
  const scene = await charging();
  await seen('cancel', scene, {}, { status: 'reversed' });
  await scene.device.stop(scene.transactionId, 1_200);
  await world.until(scene.client, scene.id, 'finished');
  expect(await settled(scene, 0)).toEqual({ status: 'finished', total: 3_00, lost: 3_00, booked: 3_00 });
}, 60_000);

test('a hold that staff cancel at the very end: what was charged is lost, in the operation and in the books', async () => {
  const scene = await charging();
  await world.switchBank({ cancel: 'error500' });
  const { id } = await paymentOf(scene);
  expect((await operator.call(cancelHold, { params: { paymentId: String(id) } })).status).toBe(200);
  await scene.device.stop(scene.transactionId, 1_200);
  await world.switchBank({ cancel: 'off' });
  await vi.waitFor(async () => {
    await lookAtBank(scene);
    expect((await operationOf(scene)).status).toBe('finished');
  }, patience);
  expect(await settled(scene, 0)).toEqual({ status: 'finished', total: 3_00, lost: 3_00, booked: 3_00 });
}, 60_000);

test('money that was captured for a charge that never starts goes back whole', async () => {
  const scene = await unpaid();
  scene.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  await world.payAtBank(scene.pageUrl);
  await scene.device.asked('RemoteStartTransaction');
  await bankCaptures(scene, 50_00);
  await world.until(scene.client, scene.id, 'failed', 30_000);
  expect(await settled(scene, 0)).toEqual({ status: 'failed', total: 0, lost: 0, booked: 0 });
  const { body } = await scene.client.call(getOperation, { params: { id: String(scene.id) } });
  expect(body.payment_status).toBe('reversed');
}, 60_000);

test('money that was captured before the driver cancels goes back whole', async () => {
  const scene = await unpaid();
  await world.payAtBank(scene.pageUrl);
  await scene.device.asked('RemoteStartTransaction');
  await bankCaptures(scene, 150_00);
  const { body } = await scene.client.call(stopOperation, { params: { id: String(scene.id) } });
  expect(body.status).toBe('canceled');
  expect(await settled(scene, 0)).toEqual({ status: 'canceled', total: 0, lost: 0, booked: 0 });
}, 60_000);

test('money that was captured for a charge without energy goes back whole', async () => {
  const scene = await charging();
  await bankCaptures(scene, 150_00);
  await scene.device.stop(scene.transactionId, 1_000);
  await world.until(scene.client, scene.id, 'failed');
  expect(await settled(scene, 0)).toEqual({ status: 'failed', total: 0, lost: 0, booked: 0 });
}, 60_000);

test('money that is captured at the bank after the charge has failed goes back whole', async () => {
  const scene = await unpaid();
  await world.switchBank({ cancel: 'error500', webhooksSilent: true });
  scene.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  await world.payAtBank(scene.pageUrl);
  await vi.waitFor(
    async () => {
      await lookAtBank(scene);
      expect((await operationOf(scene)).status).toBe('failed');
    },
    { timeout: 40_000, interval: 500 },
  );
  await inCabinet('finalize', scene, { amount: 20_00 });
  await world.switchBank({ cancel: 'off', webhooksSilent: false });
  expect(await settled(scene, 0)).toEqual({ status: 'failed', total: 0, lost: 0, booked: 0 });
}, 90_000);

/** The station stays away, so that the watchdog settles on the last reading of 200 Wh; then it is back. */
async function settledByWatchdog() {
  const scene = await charging();
  await scene.device.meter(1, scene.transactionId, 1_200);
  await scene.device.close();
  await sql`update charge_points set is_online = false, online_changed_at = now() - interval '25 hours'
    where id = (select charge_point_id from operations where id = ${scene.id})`.execute(world.db);
  await world.charging.watch();
  await world.until(scene.client, scene.id, 'finished');
  return { ...scene, device: await scene.connect() };
}

test('a late stop that says the same does not turn a refund by staff into a loss', async () => {
  const scene = await settledByWatchdog();
  const { id } = await paymentOf(scene);
  await operator.call(cancelPayment, { params: { paymentId: String(id) }, body: { amount: 2_00 } });
  await scene.device.stop(scene.transactionId, 1_200);
  expect(await settled(scene, 1_00)).toEqual({ status: 'finished', total: 3_00, lost: 0, booked: 0 });
}, 60_000);

test('a late stop with more energy than was captured is a loss in the books too', async () => {
  const scene = await settledByWatchdog();
  await scene.device.stop(scene.transactionId, 1_300);
  expect(await settled(scene, 3_00)).toEqual({ status: 'finished', total: 4_50, lost: 1_50, booked: 1_50 });
}, 60_000);

test('staff cannot capture while the charge is open, and can once only the capture is left', async () => {
  const scene = await charging();
  const { id } = await paymentOf(scene);
  const finalize = (amount: number) =>
    operator.call(finalizePayment, { params: { paymentId: String(id) }, body: { amount } });
  expect(await finalize(1_00)).toMatchObject({
    status: 409,
    body: { code: 'operation_open', message: 'Stop the charge first' },
  });
  await world.switchBank({ finalize: 'error500' });
  await scene.device.stop(scene.transactionId, 1_200);
  await world.until(scene.client, scene.id, 'pending_final_payment');
  await vi.waitFor(async () => expect((await paymentOf(scene)).tries).toBe(1), patience);
  await world.switchBank({ finalize: 'off' });
  expect(await finalize(3_01)).toMatchObject({ status: 409, body: { code: 'capture_too_high' } });
  expect((await finalize(2_00)).status).toBe(200);
  await vi.waitFor(async () => {
    await lookAtBank(scene);
    expect((await operationOf(scene)).status).toBe('finished');
  }, patience);
  expect(await settled(scene, 2_00)).toEqual({ status: 'finished', total: 3_00, lost: 1_00, booked: 1_00 });
}, 60_000);
