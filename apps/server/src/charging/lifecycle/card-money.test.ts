import { activeOperations, getOperation, operationLog, stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

/** The card payment of an operation: what the bank holds, captures and refunds. */
let stack: MovedStack;
beforeAll(async () => {
  stack = await startMovedStack();
  await stack.switchBank({ cancelMs: 0 });
});
afterAll(() => stack.close());

const soon = { timeout: 20_000, interval: 100 };
const look = async (client: Client, id: number) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

/** An operation whose invoice is open at the bank. */
async function unpaid(amount = '150') {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const { body } = await stack.pay(client, { connector: station.connector, amount, payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  return { ...station, client, id, pageUrl: body.page_url };
}

/** A running charge on a card, with 100 Wh on the meter. */
async function charging() {
  const fixture = await unpaid();
  await stack.payAtBank(fixture.pageUrl);
  const { idTag } = await fixture.device.asked('RemoteStartTransaction');
  const { transactionId } = await fixture.device.start(1, String(idTag), 1_000);
  await fixture.device.meter(1, transactionId, 1_100);
  return { ...fixture, transactionId };
}

const dueNow = (operation: number) =>
  sql`update payments set next_action_at = now() where operation_id = ${operation}`.execute(stack.db);
const lostOf = async (id: number) =>
  (await stack.db.selectFrom('operations').select('lost').where('id', '=', id).executeTakeFirstOrThrow()).lost;

test('a start that the station refuses releases the hold at the bank, and the driver may try again at once [MACH-10]', async () => {
  const fixture = await unpaid();
  fixture.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  await stack.payAtBank(fixture.pageUrl);
  expect(await stack.until(fixture.client, fixture.id, 'failed', 30_000)).toMatchObject({ total: 0, start_attempt: 3 });
  await vi.waitFor(async () => {
    expect(await look(fixture.client, fixture.id)).toMatchObject({
      hold_status: 'reversed',
      payment_status: 'reversed',
    });
  }, soon);
  expect((await stack.atBank(fixture.pageUrl)).status).toBe('reversed');
  const again = await stack.pay(fixture.client, { connector: fixture.connector, amount: '150', payment_type: 'card' });
  expect(again.body.page_url).toMatch(/^http/);
  await stack.checkBooks();
}, 60_000);

test('while the bank does not accept the capture it is a debt that blocks nothing; when it does, the charge is finished [MACH-13] [MACH-15] [PAY-27]', async () => {
  const fixture = await charging();
  await stack.switchBank({ finalize: 'error500' });
  await fixture.device.stop(fixture.transactionId, 1_200);
  const owed = await stack.until(fixture.client, fixture.id, 'pending_final_payment');
  expect(owed).toMatchObject({ energy: 200, total: 3_00, hold_status: 'hold', payment_status: null });
  const elsewhere = await stack.addScripted();
  const next = { connector: elsewhere.connector, amount: '50', payment_type: 'card' } as const;
  expect((await stack.pay(fixture.client, next)).status).toBe(200);
  await stack.switchBank({ finalize: 'off' });
  await dueNow(fixture.id);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({
    total: 3_00,
    hold_status: 'success',
  });
  expect(await stack.atBank(fixture.pageUrl)).toMatchObject({ status: 'success', finalAmount: 3_00 });
  expect(await lostOf(fixture.id)).toBe(0);
  await stack.checkBooks();
}, 60_000);

test('a capture that the bank refuses for good closes the debt: finished, the total lost [MACH-15]', async () => {
  const fixture = await charging();
  await stack.switchBank({ finalize: 'refused:1145' });
  await fixture.device.stop(fixture.transactionId, 1_200);
  await stack.until(fixture.client, fixture.id, 'finished');
  await stack.switchBank({ finalize: 'off' });
  expect(await lostOf(fixture.id)).toBe(3_00);
  await vi.waitFor(async () => expect((await stack.atBank(fixture.pageUrl)).status).toBe('reversed'), soon);
  await stack.checkBooks();
}, 60_000);

test('a hold that is reported only after the driver canceled is released at once [MACH-17]', async () => {
  await stack.switchBank({ webhooksSilent: true });
  const fixture = await unpaid();
  await stack.payAtBank(fixture.pageUrl);
  expect((await fixture.client.call(stopOperation, { params: { id: String(fixture.id) } })).body.status).toBe(
    'canceled',
  );
  await dueNow(fixture.id);
  await vi.waitFor(async () => {
    expect(await look(fixture.client, fixture.id)).toMatchObject({ status: 'canceled', hold_status: 'reversed' });
  }, soon);
  expect(await stack.atBank(fixture.pageUrl)).toMatchObject({ status: 'reversed' });
  await stack.switchBank({ webhooksSilent: false });
  await stack.checkBooks();
}, 60_000);

test('another amount replaces the invoice: the old one accepts no money any more [PAY-29]', async () => {
  const fixture = await unpaid('100');
  await stack.pay(fixture.client, { connector: fixture.connector, amount: '120', payment_type: 'card' });
  await vi.waitFor(async () => expect((await stack.atBank(fixture.pageUrl)).status).toBe('expired'), soon);
  expect((await look(fixture.client, fixture.id)).status).toBe('canceled');
});

test('a stop that comes after the capture, with more energy: the card is not charged again, the rest is lost [MACH-30]', async () => {
  const fixture = await charging();
  await createWatchedCharges(stack).goesAway(fixture);
  stack.ahead({ hours: 25 });
  await stack.charging.watch();
  await stack.until(fixture.client, fixture.id, 'finished');
  const back = await fixture.connect();
  await back.stop(fixture.transactionId, 1_180);
  expect(await look(fixture.client, fixture.id)).toMatchObject({ status: 'finished', energy: 180, total: 2_70 });
  expect(await lostOf(fixture.id)).toBe(1_20);
  expect(await stack.atBank(fixture.pageUrl)).toMatchObject({ status: 'success', finalAmount: 1_50 });
  await stack.checkBooks();
}, 60_000);

test('the log contains the exchange with the bank, for users who may read technical lines [API-61]', async () => {
  const fixture = await charging();
  await fixture.device.stop(fixture.transactionId, 1_200);
  await stack.until(fixture.client, fixture.id, 'finished');
  const read = async (role: 'Support' | 'Operator') => {
    const { client } = await stack.signedIn(role);
    return String((await client.call(operationLog, { params: { id: String(fixture.id) } })).body).split('\n');
  };
  const lines = await read('Operator');
  const times = lines.map((line) => line.slice(0, 24));
  expect(times).toEqual(times.toSorted());
  const places = [
    /bank: POST \/invoice\/create answered 200/,
    /bank: GET \/invoice\/status answered 200 hold/,
    /bank: created → pending/,
    /station: starting → ongoing/,
    /station: ongoing → pending_final_payment: stopped by station \(Local\) at 200 Wh, total 300/,
    /bank: POST \/invoice\/finalize answered 200/,
    /system: pending_final_payment → finished: paid/,
  ].map((words) => lines.findIndex((line) => words.test(line)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  // The answer to the start and the start itself are separate lines, in either order.
  expect(lines.filter((line) => /station: RemoteStartTransaction answered Accepted/.test(line))).toHaveLength(1);
  expect((await read('Support')).filter((line) => /invoice|RemoteStart.* answered/.test(line))).toEqual([]);
});
