import { activeOperations, getOperation, operationLog, stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** The card's side of an operation's fate: what the bank holds, takes and gives back. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.switchBank({ cancelMs: 0 });
});
afterAll(() => world.close());

const patience = { timeout: 20_000, interval: 100 };
const look = async (client: Client, id: number) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;

/** An operation whose invoice waits at the bank. */
async function unpaid(amount = '150') {
  const station = await world.addScripted();
  const { client } = await world.driver();
  const { body } = await world.pay(client, { connector: station.connector, amount, payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  return { ...station, client, id, pageUrl: body.page_url };
}

/** A charge under way on a card, 100 Wh on the meter. */
async function charging() {
  const scene = await unpaid();
  await world.payAtBank(scene.pageUrl);
  const { idTag } = await scene.device.asked('RemoteStartTransaction');
  const { transactionId } = await scene.device.start(1, String(idTag), 1_000);
  await scene.device.meter(1, transactionId, 1_100);
  return { ...scene, transactionId };
}

const dueNow = (operation: number) =>
  sql`update payments set next_action_at = now() where operation_id = ${operation}`.execute(world.db);
const lostOf = async (id: number) =>
  (await world.db.selectFrom('operations').select('lost').where('id', '=', id).executeTakeFirstOrThrow()).lost;

test('a start that the station refuses lets go of the hold at the bank, and the driver may try again at once [MACH-10]', async () => {
  const scene = await unpaid();
  scene.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  await world.payAtBank(scene.pageUrl);
  expect(await world.until(scene.client, scene.id, 'failed', 30_000)).toMatchObject({ total: 0, start_attempt: 3 });
  await vi.waitFor(async () => {
    expect(await look(scene.client, scene.id)).toMatchObject({ hold_status: 'reversed', payment_status: 'reversed' });
  }, patience);
  expect((await world.atBank(scene.pageUrl)).status).toBe('reversed');
  const again = await world.pay(scene.client, { connector: scene.connector, amount: '150', payment_type: 'card' });
  expect(again.body.page_url).toMatch(/^http/);
  await world.checkBooks();
}, 60_000);

test('while the bank does not take the capture it is a debt that blocks nothing; when it does, the charge is finished [MACH-13] [MACH-15] [PAY-27]', async () => {
  const scene = await charging();
  await world.switchBank({ finalize: 'error500' });
  await scene.device.stop(scene.transactionId, 1_200);
  const owed = await world.until(scene.client, scene.id, 'pending_final_payment');
  expect(owed).toMatchObject({ energy: 200, total: 3_00, hold_status: 'hold', payment_status: null });
  const elsewhere = await world.addScripted();
  const next = { connector: elsewhere.connector, amount: '50', payment_type: 'card' } as const;
  expect((await world.pay(scene.client, next)).status).toBe(200);
  await world.switchBank({ finalize: 'off' });
  await dueNow(scene.id);
  expect(await world.until(scene.client, scene.id, 'finished')).toMatchObject({ total: 3_00, hold_status: 'success' });
  expect(await world.atBank(scene.pageUrl)).toMatchObject({ status: 'success', finalAmount: 3_00 });
  expect(await lostOf(scene.id)).toBe(0);
  await world.checkBooks();
}, 60_000);

test('what the bank refuses to capture for good closes the debt: finished, the total lost [MACH-15]', async () => {
  const scene = await charging();
  await world.switchBank({ finalize: 'refused:1145' });
  await scene.device.stop(scene.transactionId, 1_200);
  await world.until(scene.client, scene.id, 'finished');
  await world.switchBank({ finalize: 'off' });
  expect(await lostOf(scene.id)).toBe(3_00);
  await vi.waitFor(async () => expect((await world.atBank(scene.pageUrl)).status).toBe('reversed'), patience);
  await world.checkBooks();
}, 60_000);

test('a hold that we hear of only after the driver canceled is released at once [MACH-17]', async () => {
  await world.switchBank({ webhooksSilent: true });
  const scene = await unpaid();
  await world.payAtBank(scene.pageUrl);
  expect((await scene.client.call(stopOperation, { params: { id: String(scene.id) } })).body.status).toBe('canceled');
  await dueNow(scene.id);
  await vi.waitFor(async () => {
    expect(await look(scene.client, scene.id)).toMatchObject({ status: 'canceled', hold_status: 'reversed' });
  }, patience);
  expect(await world.atBank(scene.pageUrl)).toMatchObject({ status: 'reversed' });
  await world.switchBank({ webhooksSilent: false });
  await world.checkBooks();
}, 60_000);

test('another amount replaces the invoice: the old one takes no money any more [PAY-29]', async () => {
  const scene = await unpaid('100');
  await world.pay(scene.client, { connector: scene.connector, amount: '120', payment_type: 'card' });
  await vi.waitFor(async () => expect((await world.atBank(scene.pageUrl)).status).toBe('expired'), patience);
  expect((await look(scene.client, scene.id)).status).toBe('canceled');
});

test('a stop that comes after the capture, with more energy: the card is asked for nothing more, the rest is lost [MACH-30]', async () => {
  const scene = await charging();
  await scene.device.close();
  await sql`update charge_points set is_online = false, online_changed_at = now() - interval '25 hours'
    where id = (select charge_point_id from operations where id = ${scene.id})`.execute(world.db);
  await world.charging.watch();
  await world.until(scene.client, scene.id, 'finished');
  const back = await scene.connect();
  await back.stop(scene.transactionId, 1_180);
  expect(await look(scene.client, scene.id)).toMatchObject({ status: 'finished', energy: 180, total: 2_70 });
  expect(await lostOf(scene.id)).toBe(1_20);
  expect(await world.atBank(scene.pageUrl)).toMatchObject({ status: 'success', finalAmount: 1_50 });
  await world.checkBooks();
}, 60_000);

test('the log has what was said to the bank and by it, for those who may read technical lines [API-61]', async () => {
  const scene = await charging();
  await scene.device.stop(scene.transactionId, 1_200);
  await world.until(scene.client, scene.id, 'finished');
  const read = async (role: 'Support' | 'Operator') => {
    const { client } = await world.signedIn(role);
    return String((await client.call(operationLog, { params: { id: String(scene.id) } })).body).split('\n');
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
  // Its answer to the start and the start itself are told apart from each other, in either order.
  expect(lines.filter((line) => /station: RemoteStartTransaction answered Accepted/.test(line))).toHaveLength(1);
  expect((await read('Support')).filter((line) => /invoice|RemoteStart.* answered/.test(line))).toEqual([]);
});
