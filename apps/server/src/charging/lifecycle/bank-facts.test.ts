import { cancelHold } from '@fpay/contract/admin/actions/cancel-hold';
import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { finalizePayment } from '@fpay/contract/admin/actions/finalize';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

/**
 * What the bank or staff do to the money of a charge before it has ended. None of it may keep the charge from ending.
 */
let stack: MovedStack;
beforeAll(async () => {
  stack = await startMovedStack();
  await stack.switchBank({ cancelMs: 0 });
});
afterAll(() => stack.close());

/** Signed in for each call, because a day passes here and a staff session ends after twelve hours. */
const operator = async () => (await stack.signedIn('Operator')).client;
const soon = { timeout: 20_000, interval: 100 };

/** The merchant's own account at the bank: the same calls, but not made by the server. */
async function inCabinet(call: 'finalize' | 'cancel', fixture: Fixture, more: object = {}): Promise<void> {
  const answer = await fetch(`${stack.bankUrl}/api/merchant/invoice/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-token': 'sandbox-merchant-token' },
    body: JSON.stringify({ invoiceId: new URL(fixture.pageUrl).pathname.split('/').at(-1), ...more }),
  });
  expect(answer.status).toBe(200);
}

const bankCaptures = (fixture: Fixture, amount: number) => seen('finalize', fixture, { amount }, { status: 'success' });
const bankRefunds = (fixture: Fixture, amount: number) => seen('cancel', fixture, { amount }, { refunded: amount });

/** Makes the call at the bank and waits until the payment shows it. */
async function seen(call: 'finalize' | 'cancel', fixture: Fixture, more: object, payment: object): Promise<void> {
  await inCabinet(call, fixture, more);
  await vi.waitFor(async () => {
    await lookAtBank(fixture);
    expect(await paymentOf(fixture)).toMatchObject(payment);
  }, soon);
}

const lookAtBank = (fixture: Fixture) =>
  sql`update payments set next_action_at = now(), due_claim = due_claim + 1 where operation_id = ${fixture.id}`.execute(
    stack.db,
  );
const paymentOf = (fixture: Fixture) =>
  stack.db.selectFrom('payments').selectAll().where('operation_id', '=', fixture.id).executeTakeFirstOrThrow();
const operationOf = (fixture: Fixture) =>
  stack.db.selectFrom('operations').selectAll().where('id', '=', fixture.id).executeTakeFirstOrThrow();

async function unpaid(amount = '150') {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const { body } = await stack.pay(client, { connector: station.connector, amount, payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  return { ...station, client, id, pageUrl: body.page_url };
}
type Fixture = Awaited<ReturnType<typeof unpaid>>;

/** A running charge on a card with a deposit of 150 UAH, at 15 UAH a kWh. */
async function charging(amount?: string) {
  const fixture = await unpaid(amount);
  await stack.payAtBank(fixture.pageUrl);
  const { idTag } = await fixture.device.asked('RemoteStartTransaction');
  const { transactionId } = await fixture.device.start(1, String(idTag), 1_000);
  return { ...fixture, transactionId };
}

/** Compares operation, payment, bank and books after everything is settled. */
async function settled(fixture: Fixture, kept: number) {
  await vi.waitFor(async () => expect((await stack.atBank(fixture.pageUrl)).finalAmount ?? 0).toBe(kept), soon);
  await vi.waitFor(async () => {
    await lookAtBank(fixture);
    const { captured, refunded } = await paymentOf(fixture);
    expect(captured - refunded).toBe(kept);
  }, soon);
  await stack.checkBooks();
  const { status, total, lost } = await operationOf(fixture);
  return { status, total, lost, booked: (await paymentOf(fixture)).lost };
}

test.each([
  ['less than the total', 1_00, { kept: 1_00, lost: 2_00 }],
  ['exactly the total', 3_00, { kept: 3_00, lost: 0 }],
  ['more than the total', 50_00, { kept: 3_00, lost: 0 }],
] as const)(
  'a capture at the bank of %s, while power flows: the charge goes on and ends settled',
  async (_what, captured, { kept, lost }) => {
    const fixture = await charging();
    await bankCaptures(fixture, captured);
    expect((await operationOf(fixture)).status).toBe('ongoing');
    await fixture.device.stop(fixture.transactionId, 1_200);
    await stack.until(fixture.client, fixture.id, 'finished');
    expect(await settled(fixture, kept)).toEqual({ status: 'finished', total: 3_00, lost, booked: lost });
  },
  60_000,
);

test('a capture of the whole deposit and a charge up to its limit leave no debt', async () => {
  const fixture = await charging('3');
  await bankCaptures(fixture, 3_00);
  await fixture.device.stop(fixture.transactionId, 1_210);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect(await settled(fixture, 3_00)).toEqual({ status: 'finished', total: 3_00, lost: 0, booked: 0 });
}, 60_000);

test('a refund at the bank before the end: what is missing of the total is lost, and lost only once', async () => {
  const fixture = await charging();
  await bankCaptures(fixture, 10_00);
  await bankRefunds(fixture, 8_00);
  await fixture.device.stop(fixture.transactionId, 1_200);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect(await settled(fixture, 2_00)).toEqual({ status: 'finished', total: 3_00, lost: 1_00, booked: 1_00 });
  // The revenue is the price of the energy; the rest that was captured and refunded is neither revenue nor loss.
  expect(await resultOf(fixture)).toEqual({ revenue: 3_00, losses: -1_00 });
}, 60_000);

/** What an operation has left on the network's own accounts. */
async function resultOf(fixture: Fixture) {
  const { rows } = await sql<{ revenue: number; losses: number }>`
    select coalesce(sum(case when to_account = 2 or to_account in (select id from accounts where kind = 'earned') then amount else 0 end
        - case when from_account = 2 or from_account in (select id from accounts where kind = 'earned') then amount else 0 end), 0)::bigint as revenue,
      coalesce(sum(case when to_account = 5 then amount when from_account = 5 then -amount end), 0)::bigint as losses
    from transfers where payment_id = (select id from payments where operation_id = ${fixture.id})`.execute(stack.db);
  return rows[0];
}

test('a hold that disappears in the middle: the total is lost', async () => {
  const fixture = await charging();
  await seen('cancel', fixture, {}, { status: 'reversed' });
  await fixture.device.stop(fixture.transactionId, 1_200);
  await stack.until(fixture.client, fixture.id, 'finished');
  expect(await settled(fixture, 0)).toEqual({ status: 'finished', total: 3_00, lost: 3_00, booked: 3_00 });
}, 60_000);

test('a hold that staff cancel at the very end: the total is lost, in the operation and in the books', async () => {
  const fixture = await charging();
  await stack.switchBank({ cancel: 'error500' });
  const { id } = await paymentOf(fixture);
  expect((await (await operator()).call(cancelHold, { params: { paymentId: String(id) } })).status).toBe(200);
  await fixture.device.stop(fixture.transactionId, 1_200);
  await stack.switchBank({ cancel: 'off' });
  await vi.waitFor(async () => {
    await lookAtBank(fixture);
    expect((await operationOf(fixture)).status).toBe('finished');
  }, soon);
  expect(await settled(fixture, 0)).toEqual({ status: 'finished', total: 3_00, lost: 3_00, booked: 3_00 });
  const { body } = await fixture.client.call(getOperation, { params: { id: String(fixture.id) } });
  expect(body.has_receipt).toBe(false);
}, 60_000);

test('money that was captured for a charge that never starts is returned completely', async () => {
  const fixture = await unpaid();
  fixture.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  await stack.payAtBank(fixture.pageUrl);
  await fixture.device.asked('RemoteStartTransaction');
  await bankCaptures(fixture, 50_00);
  await stack.until(fixture.client, fixture.id, 'failed', 30_000);
  expect(await settled(fixture, 0)).toEqual({ status: 'failed', total: 0, lost: 0, booked: 0 });
  const { body } = await fixture.client.call(getOperation, { params: { id: String(fixture.id) } });
  expect(body.payment_status).toBe('reversed');
}, 60_000);

test('money that was captured before the driver cancels is returned completely', async () => {
  const fixture = await unpaid();
  await stack.payAtBank(fixture.pageUrl);
  await fixture.device.asked('RemoteStartTransaction');
  await bankCaptures(fixture, 150_00);
  const { body } = await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } });
  expect(body.status).toBe('canceled');
  expect(await settled(fixture, 0)).toEqual({ status: 'canceled', total: 0, lost: 0, booked: 0 });
}, 60_000);

test('money that was captured for a charge without energy is returned completely', async () => {
  const fixture = await charging();
  await bankCaptures(fixture, 150_00);
  await fixture.device.stop(fixture.transactionId, 1_000);
  await stack.until(fixture.client, fixture.id, 'failed');
  expect(await settled(fixture, 0)).toEqual({ status: 'failed', total: 0, lost: 0, booked: 0 });
}, 60_000);

test('money that is captured at the bank after the charge has failed is returned completely', async () => {
  const fixture = await unpaid();
  await stack.switchBank({ cancel: 'error500', webhooksSilent: true });
  fixture.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  await stack.payAtBank(fixture.pageUrl);
  await vi.waitFor(
    async () => {
      await lookAtBank(fixture);
      expect((await operationOf(fixture)).status).toBe('failed');
    },
    { timeout: 40_000, interval: 500 },
  );
  await inCabinet('finalize', fixture, { amount: 20_00 });
  await stack.switchBank({ cancel: 'off', webhooksSilent: false });
  expect(await settled(fixture, 0)).toEqual({ status: 'failed', total: 0, lost: 0, booked: 0 });
}, 90_000);

/** The station stays away, so that the watchdog settles on the last reading of 200 Wh; then it reconnects. */
async function settledByWatchdog() {
  const fixture = await charging();
  await fixture.device.meter(1, fixture.transactionId, 1_200);
  await createWatchedCharges(stack).goesAway(fixture);
  stack.ahead({ hours: 25 });
  await stack.charging.watch();
  await stack.until(fixture.client, fixture.id, 'finished');
  return { ...fixture, device: await fixture.connect() };
}

test('a late stop with the same energy does not turn a refund by staff into a loss', async () => {
  const fixture = await settledByWatchdog();
  const { id } = await paymentOf(fixture);
  await (await operator()).call(cancelPayment, { params: { paymentId: String(id) }, body: { amount: 2_00 } });
  await fixture.device.stop(fixture.transactionId, 1_200);
  expect(await settled(fixture, 1_00)).toEqual({ status: 'finished', total: 3_00, lost: 0, booked: 0 });
}, 60_000);

test('a late stop with more energy than was captured is a loss in the books too', async () => {
  const fixture = await settledByWatchdog();
  await fixture.device.stop(fixture.transactionId, 1_300);
  expect(await settled(fixture, 3_00)).toEqual({ status: 'finished', total: 4_50, lost: 1_50, booked: 1_50 });
}, 60_000);

test('staff cannot capture while the charge is open, and can when only the capture is left', async () => {
  const fixture = await charging();
  const { id } = await paymentOf(fixture);
  const finalize = async (amount: number) =>
    (await operator()).call(finalizePayment, { params: { paymentId: String(id) }, body: { amount } });
  expect(await finalize(1_00)).toMatchObject({
    status: 409,
    body: { code: 'operation_open', message: 'Stop the charge first' },
  });
  await stack.switchBank({ finalize: 'error500' });
  await fixture.device.stop(fixture.transactionId, 1_200);
  await stack.until(fixture.client, fixture.id, 'pending_final_payment');
  await vi.waitFor(async () => expect((await paymentOf(fixture)).tries).toBe(1), soon);
  await stack.switchBank({ finalize: 'off' });
  expect(await finalize(3_01)).toMatchObject({ status: 409, body: { code: 'capture_too_high' } });
  expect((await finalize(2_00)).status).toBe(200);
  await vi.waitFor(async () => {
    await lookAtBank(fixture);
    expect((await operationOf(fixture)).status).toBe('finished');
  }, soon);
  expect(await settled(fixture, 2_00)).toEqual({ status: 'finished', total: 3_00, lost: 1_00, booked: 1_00 });
}, 60_000);
