import { getUser } from '@fpay/contract/account';
import { activeOperations, newPayment, stopOperation, unlockOperation } from '@fpay/contract/charging';
import { wattHours } from '@fpay/contract/money';
import { getStation } from '@fpay/contract/stations';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startIdleStack } from '../testing/idle-stack.ts';

/** From the first warning to the ledger, with a deposit of 150 UAH. */
let stack: Awaited<ReturnType<typeof startIdleStack>>;
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });
beforeAll(async () => {
  stack = await startIdleStack();
});
afterAll(() => stack.close());

type Charge = Awaited<ReturnType<typeof stack.startCharge>>;

/** While no reading comes, the rated power counts: 150 UAH last for half an hour. */
const ratedW = 20_000;

/** A charge that has delivered 100 Wh, 1.50 UAH, and whose car takes no more. */
async function fullCar(place: Parameters<typeof stack.startCharge>[2] = {}) {
  const charge = await stack.startCharge('150', 1_000, { powerW: ratedW, ...place });
  await charge.device.status(1, 'Charging');
  await charge.device.meter(1, charge.transactionId, 1_100, 20_000);
  await charge.device.status(1, 'SuspendedEV');
  return charge;
}

const idleIs = (charge: Pick<Charge, 'client' | 'id'>, expected: object) =>
  stack.idleIs(charge, (idle) => expect(idle).toMatchObject(expected));

const noticesOf = async ({ id }: { id: number }) =>
  (
    await stack.db.selectFrom('notices').select('kind').where('operation_id', '=', id).orderBy('created_at').execute()
  ).map(({ kind }) => kind);
const balanceOf = async ({ client }: Pick<Charge, 'client'>) => (await client.call(getUser)).body.balance;
const reachable = ({ id, userId }: Charge) =>
  sql`update users set telegram_id = ${id + 700_000_000} where id = ${userId}`.execute(stack.db);

test('a full car is warned, then pays per minute, and the balance is settled with energy and fee when it leaves', async () => {
  const charge = await stack.startCharge('150', 1_000, { powerW: ratedW });
  await reachable(charge);
  expect((await stack.read(charge)).idle).toMatchObject({
    fee: 2_00,
    grace_minutes: 10,
    seconds: 0,
    total: 0,
    cause: null,
  });
  await charge.device.status(1, 'Charging');
  await charge.device.meter(1, charge.transactionId, 1_100, 20_000);
  await charge.device.status(1, 'SuspendedEV');
  await idleIs(charge, { cause: 'full', total: 0, is_awaiting_unplug: false });
  expect(await noticesOf(charge)).toContain('idle_grace');
  expect(await noticesOf(charge)).not.toContain('idle_fee');

  await stack.passed(charge, 13);
  await idleIs(charge, { total: 6_00, is_capped: false });
  expect(await noticesOf(charge)).toContain('idle_fee');
  expect(await stack.read(charge)).toMatchObject({ status: 'ongoing', total: 7_50 });

  // The driver pulls the plug, so nothing is waited for.
  await charge.device.stop(charge.transactionId, 1_100, { reason: 'EVDisconnected' });
  const finished = await stack.until(charge.client, charge.id, 'finished');
  expect(finished).toMatchObject({ total: 7_50, real_total: 7_50, idle: { total: 6_00, cause: null } });
  expect(await balanceOf(charge)).toBe(1000_00 - 7_50);
  await stack.checkBooks();
});

test('power that flows again pauses the idle time, and the grace time is not given twice', async () => {
  const charge = await fullCar();
  await idleIs(charge, { cause: 'full' });
  await stack.passed(charge, 8);
  await idleIs(charge, { total: 0 });
  await charge.device.status(1, 'Charging');
  await idleIs(charge, { cause: null });
  await charge.device.meter(1, charge.transactionId, 1_150, 20_000);
  expect(await stack.read(charge)).toMatchObject({ total: 2_25, idle: { total: 0 } });
  await charge.device.status(1, 'SuspendedEV');
  await idleIs(charge, { cause: 'full' });
  await stack.passed(charge, 5);
  await idleIs(charge, { total: 6_00 });
  // A reading adds energy to the bill and keeps the fee.
  await charge.device.meter(1, charge.transactionId, 1_160, 0);
  expect(await stack.read(charge)).toMatchObject({ total: 8_40 });
  await charge.device.stop(charge.transactionId, 1_160, { reason: 'EVDisconnected' });
  expect(await stack.until(charge.client, charge.id, 'finished')).toMatchObject({ total: 8_40 });
  await stack.checkBooks();
});

test('a device that reports a full car while its readings show power is not believed', async () => {
  const charge = await fullCar();
  await idleIs(charge, { cause: 'full' });
  await charge.device.meter(1, charge.transactionId, 1_110, 11_000);
  await idleIs(charge, { cause: null });
});

test('after the end the card is captured once, with energy and fee, when the cable is out', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const paid = await stack.pay(client, { connector: station.connector, amount: '150', payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  const charge = { client, id };
  await stack.payAtBank(paid.body.page_url);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 1_000);
  await station.device.status(1, 'Charging');
  await station.device.meter(1, transactionId, 1_100);
  await client.call(stopOperation, { params: { id: String(id) } });
  await station.device.asked('RemoteStopTransaction');
  await station.device.stop(transactionId, 1_100, { reason: 'Remote' });
  expect(await stack.read(charge)).toMatchObject({
    status: 'finishing',
    idle: { is_awaiting_unplug: true },
    energy: 100,
  });
  await station.device.status(1, 'Finishing');
  await idleIs(charge, { cause: 'plugged_in', total: 0 });
  await stack.passed(charge, 14);
  await idleIs(charge, { total: 8_00 });
  // The bank still holds the whole deposit; nothing was captured.
  expect(await stack.atBank(paid.body.page_url)).toMatchObject({ status: 'hold' });
  // A repeated StopTransaction changes nothing.
  await station.device.stop(transactionId, 1_100, { reason: 'Remote' });

  await station.device.status(1, 'Available');
  await stack.lookNow(charge);
  const finished = await stack.until(client, id, 'finished');
  expect(finished).toMatchObject({ total: 9_50, idle: { total: 8_00, is_awaiting_unplug: false }, has_receipt: true });
  expect(await stack.atBank(paid.body.page_url)).toMatchObject({ status: 'success', finalAmount: 9_50 });
  const moved = await stack.db
    .selectFrom('transfers')
    .select(['kind', 'amount'])
    .where('operation_id', '=', id)
    .execute();
  expect(moved).toEqual([{ kind: expect.any(String), amount: 9_50 }]);
  const log = await stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', id).execute();
  expect(log.map(({ text }) => text).join('\n')).toContain('total 950 with 800 for idle time');
  await stack.checkBooks();
});

test('the fee never goes above the deposit: the charge is stopped, settled and the driver may leave', async () => {
  // Ten times the usual fee, so that the rest of the deposit lasts for eight minutes.
  await sql`update tariffs set idle = '{"fee": 2000, "grace_minutes": 10}' where price = 1500`.execute(stack.db);
  const charge = await fullCar();
  await sql`update tariffs set idle = '{"fee": 200, "grace_minutes": 10}' where price = 1500`.execute(stack.db);
  await idleIs(charge, { cause: 'full' });
  await stack.passed(charge, 24);
  await idleIs(charge, { total: 148_50, is_capped: true });
  await charge.device.asked('RemoteStopTransaction');
  await charge.device.stop(charge.transactionId, 1_100, { reason: 'Remote' });
  // Nothing is left for another minute, so the cable is not waited for.
  expect(await stack.until(charge.client, charge.id, 'finished')).toMatchObject({
    total: 150_00,
    idle: { total: 148_50 },
  });
  expect(await balanceOf(charge)).toBe(850_00);
  await stack.checkBooks();
});

test('minutes that were not observed are not billed: the device is away, then the cable is out', async () => {
  const charge = await fullCar();
  await charge.device.stop(charge.transactionId, 1_100);
  await charge.device.status(1, 'Finishing');
  await idleIs(charge, { cause: 'plugged_in' });
  await stack.passed(charge, 11.5);
  await charge.device.call('Heartbeat', {});
  await stack.passed(charge, 1);
  await idleIs(charge, { total: 4_00 });
  await charge.device.close();
  await vi.waitFor(async () => {
    const link = stack.db.selectFrom('charge_point_links').select('node_id').where('node_id', 'is', null);
    expect(await link.executeTakeFirst()).toBeDefined();
  }, stack.soon);
  // Its last frame came a minute earlier: that minute was counted, and is not proven.
  await idleIs(charge, { cause: null, total: 2_00 });
  const back = await charge.connect();
  await back.status(1, 'Available');
  await stack.lookNow(charge);
  expect(await stack.until(charge.client, charge.id, 'finished')).toMatchObject({ total: 3_50, idle: { total: 2_00 } });
  await stack.checkBooks();
});

test('a device that stays away for a quarter of an hour does not keep the driver waiting', async () => {
  const charge = await fullCar();
  await charge.device.stop(charge.transactionId, 1_100);
  await charge.device.status(1, 'Finishing');
  await idleIs(charge, { cause: 'plugged_in' });
  await charge.device.close();
  await idleIs(charge, { cause: null });
  stack.ahead({ minutes: 16 });
  await stack.lookNow(charge);
  expect(await stack.until(charge.client, charge.id, 'finished')).toMatchObject({ total: 1_50 });
  await stack.checkBooks();
});

test('an end that the driver could not foresee, a tariff without a fee and a used deposit are settled at once', async () => {
  const broken = await fullCar();
  await broken.device.stop(broken.transactionId, 1_100, { reason: 'EmergencyStop' });
  expect(await stack.read(broken)).toMatchObject({ status: 'finished', total: 1_50 });
  const plain = await fullCar({ price: 16_00 });
  await plain.device.stop(plain.transactionId, 1_100);
  expect(await stack.read(plain)).toMatchObject({ status: 'finished', total: 1_60, idle: null });
  const usedUp = await stack.startCharge('3');
  await usedUp.device.status(1, 'Charging');
  await usedUp.device.stop(usedUp.transactionId, 1_100);
  // 1.50 of 3 UAH: the rest does not pay for a minute.
  expect(await stack.read(usedUp)).toMatchObject({ status: 'finished', total: 1_50, idle: { total: 0 } });
  const nothing = await stack.startCharge();
  await nothing.device.status(1, 'SuspendedEV');
  await nothing.device.stop(nothing.transactionId, 1_000);
  expect(await stack.read(nothing)).toMatchObject({ status: 'failed', total: 0, idle: { total: 0 } });
  await stack.checkBooks();
});

test('a device that never reports the cable gets no fee', async () => {
  const charge = await fullCar();
  await charge.device.stop(charge.transactionId, 1_100);
  expect(await stack.read(charge)).toMatchObject({ status: 'finishing' });
  stack.ahead({ seconds: 61 });
  await stack.lookNow(charge);
  expect(await stack.until(charge.client, charge.id, 'finished')).toMatchObject({ total: 1_50, idle: { total: 0 } });
});

test('while the cable is in, its driver may ask for its release, and the watchdog leaves the wait alone', async () => {
  const charge = await fullCar();
  await charge.device.stop(charge.transactionId, 1_100);
  await charge.device.status(1, 'Finishing');
  await idleIs(charge, { cause: 'plugged_in' });
  charge.device.replies.UnlockConnector = { status: 'Unlocked' };
  const unlocked = await charge.client.call(unlockOperation, { params: { id: String(charge.id) } });
  expect(unlocked.body).toEqual({ status: 'unlocked' });
  await stack.passed(charge, 11);
  await stack.charging.watch();
  expect(await stack.read(charge)).toMatchObject({ status: 'finishing', stop_ignored: false });
});

test('another charge at the connector proves that the cable was out', async () => {
  const charge = await fullCar();
  await charge.device.stop(charge.transactionId, 1_100);
  await charge.device.status(1, 'Finishing');
  await idleIs(charge, { cause: 'plugged_in' });
  await stack.passed(charge, 12);
  await idleIs(charge, { total: 4_00 });
  await charge.device.start(1, 'UNKNOWN-CARD', 1_100);
  expect(await stack.read(charge)).toMatchObject({ status: 'finished', total: 5_50 });
  await stack.checkBooks();
});

test('staff who finish a charge settle what was observed, and a lower energy corrects it', async () => {
  const charge = await fullCar();
  await charge.device.stop(charge.transactionId, 1_100);
  await charge.device.status(1, 'Finishing');
  await idleIs(charge, { cause: 'plugged_in' });
  await stack.passed(charge, 12);
  await idleIs(charge, { total: 4_00 });
  const { id: staff } = await stack.addUser('Support');
  const command = { staff, operation: charge.id, requestKey: `idle-finish-${charge.id}` };
  expect((await stack.charging.staff.preview(charge.id, { action: 'finish' })).total).toEqual({ from: 5_50, to: 5_50 });
  await stack.charging.staff.act(command, { action: 'finish' });
  expect(await stack.read(charge)).toMatchObject({ status: 'finished', total: 5_50 });
  expect(await balanceOf(charge)).toBe(1000_00 - 5_50);
  const corrected = { ...command, requestKey: `idle-energy-${charge.id}` };
  await stack.charging.staff.act(corrected, { action: 'force_energy', energy: wattHours(50), update_total: true });
  expect(await stack.read(charge)).toMatchObject({ total: 4_75, idle: { total: 4_00 } });
  expect(await balanceOf(charge)).toBe(1000_00 - 4_75);
  await stack.checkBooks();
});

test('the fee is part of the price that the driver agreed to, and a later change does not touch a running charge', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver(500_00);
  const { body: page } = await client.call(getStation, { params: { number: station.number } });
  expect(page.connectors[0]?.idle).toEqual({ fee: 2_00, grace_minutes: 10 });
  const body = { payment_type: 'balance', target: 'uah', connector: station.connector, amount: '150' } as const;
  for (const idle of [null, { fee: 1_00, grace_minutes: 10 }, { fee: 2_00, grace_minutes: 15 }] as never[]) {
    const refused = await client.call(newPayment, { body: { ...body, idle } });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'price_changed', price: 15_00 }]);
  }
  const paid = await client.call(newPayment, { body: { ...body, idle: { fee: 2_00, grace_minutes: 10 } as never } });
  const id = Number(paid.body.page_url.slice(2));
  await sql`update tariffs set idle = '{"fee": 900, "grace_minutes": 1}' where price = 1500`.execute(stack.db);
  try {
    expect((await stack.read({ client, id })).idle).toMatchObject({ fee: 2_00, grace_minutes: 10 });
  } finally {
    await sql`update tariffs set idle = '{"fee": 200, "grace_minutes": 10}' where price = 1500`.execute(stack.db);
  }
});
