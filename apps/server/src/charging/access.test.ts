import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, newPayment, stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';

/** Who may charge when, and what a request to pay must look like. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test('while the service is down nobody begins a charge, and whoever charges sees and stops it: the money is exact', async () => {
  const scene = await world.startCharge();
  const station = await world.addScripted();
  const newcomer = await world.driver(100_00);
  await world.maintenance.shutDown({ startTime: new Date(), endTime: null, text: null });
  try {
    const refused = await world.pay(newcomer.client, { connector: station.connector, amount: '50' });
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'The application is currently unavailable due to maintenance work',
    ]);
    await scene.device.meter(1, scene.transactionId, 1_100);
    const params = { id: String(scene.id) };
    expect((await scene.client.call(getOperation, { params })).body).toMatchObject({ status: 'ongoing', energy: 100 });
    expect((await scene.client.call(activeOperations)).body).toMatchObject([{ id: scene.id, status: 'ongoing' }]);
    expect((await scene.client.call(stopOperation, { params })).body).toEqual({ status: 'finishing' });
    await scene.device.asked('RemoteStopTransaction');
    await scene.device.stop(scene.transactionId, 1_200, { reason: 'Remote' });
    await world.until(scene.client, scene.id, 'finished');
    expect((await scene.client.call(getUser)).body.balance).toBe(1000_00 - 3_00);
  } finally {
    await world.maintenance.turnOn();
  }
  expect((await newcomer.client.call(getUser)).body.balance).toBe(100_00);
  await world.checkBooks();
});

test('a banned user begins nothing; what runs goes on to its end and is paid for', async () => {
  const scene = await world.startCharge();
  const station = await world.addScripted();
  await sql`update users set role = 'Banned' where id = ${scene.userId}`.execute(world.db);
  const refused = await world.pay(scene.client, { connector: station.connector, amount: '50' });
  expect([refused.status, refused.body.code]).toEqual([403, 'banned']);
  await scene.device.stop(scene.transactionId, 1_200);
  await vi.waitFor(async () => expect(await world.wallet.balanceOf(scene.userId)).toBe(1000_00 - 3_00));
  await world.checkBooks();
});

test('a station that is offline is 409; so is a connector at which somebody is about to pay', async () => {
  const [away, taken] = [await world.addScripted(), await world.addScripted()];
  const [first, second] = [await world.driver(100_00), await world.driver(100_00)];
  await sql`update charge_points set is_online = false where identity = ${away.identity}`.execute(world.db);
  expect(await world.pay(first.client, { connector: away.connector, amount: '50' })).toMatchObject({
    status: 409,
    body: { code: 'connector_out_of_service' },
  });
  await world.pay(first.client, { connector: taken.connector, amount: '50', payment_type: 'card' });
  expect(await world.pay(second.client, { connector: taken.connector, amount: '50' })).toMatchObject({
    status: 409,
    body: { code: 'connector_taken' },
  });
});

test('the least and the most by card are taken, a hundredth beyond them is 422 [PAY-19]', async () => {
  const station = await world.addScripted({ price: 10_00 });
  const { client } = await world.driver();
  const pay = (target: 'kwh' | 'uah', amount: string) =>
    world.pay(client, { connector: station.connector, target, amount, payment_type: 'card' });
  for (const [target, amount, deposit] of [
    ['kwh', '1', 10_00],
    ['kwh', '200', 2000_00],
    ['uah', '1', 1_00],
    ['uah', '3000', 3000_00],
  ] as const) {
    expect([amount, (await pay(target, amount)).status]).toEqual([amount, 200]);
    expect((await client.call(activeOperations)).body).toMatchObject([{ deposit }]);
  }
  for (const [target, amount] of [
    ['kwh', '0.99'],
    ['kwh', '200.01'],
    ['uah', '0.99'],
    ['uah', '3000.01'],
  ] as const)
    expect([target, amount, (await pay(target, amount)).status]).toEqual([target, amount, 422]);
  for (const wrong of [
    { payment_type: 'cash' },
    { target: 'kW' },
    { connector: 'first' },
    { ref_id: 'x'.repeat(65) },
  ]) {
    const body = { amount: '5', payment_type: 'card', target: 'uah', connector: station.connector, ...wrong };
    expect([wrong, (await client.mutate('POST', '/api/payment/new', body)).status]).toEqual([wrong, 422]);
  }
});

test('where a driver came from is kept with the operation [API-46]', async () => {
  const station = await world.addScripted();
  const { client } = await world.driver(100_00);
  const body = { amount: '5', payment_type: 'balance', target: 'kwh', connector: station.connector, ref_id: 'bus-7' };
  const { page_url } = (await client.call(newPayment, { body: body as never })).body;
  const row = world.db.selectFrom('operations').select(['ref_id', 'target', 'deposit']);
  expect(await row.where('id', '=', Number(page_url.slice(2))).executeTakeFirstOrThrow()).toEqual({
    ref_id: 'bus-7',
    target: 'kwh',
    deposit: 75_00,
  });
});
