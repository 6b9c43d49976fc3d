import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, newPayment, stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Which users may charge when, and what a payment request must look like. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test('while the service is down no charge begins, and a driver who charges sees and stops the charge: the money is exact [ADM-DOWN-07]', async () => {
  const fixture = await stack.startCharge();
  const station = await stack.addScripted();
  const newcomer = await stack.driver(100_00);
  await stack.maintenance.shutDown({ startTime: new Date(), endTime: null, text: null });
  try {
    const refused = await stack.pay(newcomer.client, { connector: station.connector, amount: '50' });
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'The application is currently unavailable due to maintenance work',
    ]);
    await fixture.device.meter(1, fixture.transactionId, 1_100);
    const params = { id: String(fixture.id) };
    expect((await fixture.client.call(getOperation, { params })).body).toMatchObject({
      status: 'ongoing',
      energy: 100,
    });
    expect((await fixture.client.call(activeOperations)).body).toMatchObject([{ id: fixture.id, status: 'ongoing' }]);
    expect((await fixture.client.call(stopOperation, { params })).body).toEqual({ status: 'finishing' });
    await fixture.device.asked('RemoteStopTransaction');
    await fixture.device.stop(fixture.transactionId, 1_200, { reason: 'Remote' });
    await stack.until(fixture.client, fixture.id, 'finished');
    // The charge point stayed connected all the time: one connection of it is on record, and it is open.
    const point = stack.db.selectFrom('charge_points').select('is_online').where('identity', '=', fixture.identity);
    expect(await point.executeTakeFirst()).toEqual({ is_online: true });
    expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 3_00);
  } finally {
    await stack.maintenance.turnOn();
  }
  expect((await newcomer.client.call(getUser)).body.balance).toBe(100_00);
  await stack.checkBooks();
});

test('a banned user begins nothing; a running charge goes on to its end and is paid for', async () => {
  const fixture = await stack.startCharge();
  const station = await stack.addScripted();
  await sql`update users set role = 'Banned' where id = ${fixture.userId}`.execute(stack.db);
  const refused = await stack.pay(fixture.client, { connector: station.connector, amount: '50' });
  expect([refused.status, refused.body.code]).toEqual([403, 'banned']);
  await fixture.device.stop(fixture.transactionId, 1_200);
  await vi.waitFor(async () => expect(await stack.wallet.balanceOf(fixture.userId)).toBe(1000_00 - 3_00));
  await stack.checkBooks();
});

test('a station that is offline is 409; so is a connector for which another driver is about to pay', async () => {
  const [away, taken] = [await stack.addScripted(), await stack.addScripted()];
  const [first, second] = [await stack.driver(100_00), await stack.driver(100_00)];
  await sql`update charge_points set is_online = false where identity = ${away.identity}`.execute(stack.db);
  expect(await stack.pay(first.client, { connector: away.connector, amount: '50' })).toMatchObject({
    status: 409,
    body: { code: 'connector_out_of_service' },
  });
  await stack.pay(first.client, { connector: taken.connector, amount: '50', payment_type: 'card' });
  expect(await stack.pay(second.client, { connector: taken.connector, amount: '50' })).toMatchObject({
    status: 409,
    body: { code: 'connector_taken' },
  });
});

test('the least and the most by card are accepted, a hundredth beyond them is 422 [PAY-19]', async () => {
  const station = await stack.addScripted({ price: 10_00 });
  const { client } = await stack.driver();
  const pay = (target: 'kwh' | 'uah', amount: string) =>
    stack.pay(client, { connector: station.connector, target, amount, payment_type: 'card' });
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

test('the referrer of a driver is stored with the operation [API-46]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver(100_00);
  const body = { amount: '5', payment_type: 'balance', target: 'kwh', connector: station.connector, ref_id: 'bus-7' };
  const { page_url } = (await client.call(newPayment, { body: body as never })).body;
  const row = stack.db.selectFrom('operations').select(['ref_id', 'target', 'deposit']);
  expect(await row.where('id', '=', Number(page_url.slice(2))).executeTakeFirstOrThrow()).toEqual({
    ref_id: 'bus-7',
    target: 'kwh',
    deposit: 75_00,
  });
});
