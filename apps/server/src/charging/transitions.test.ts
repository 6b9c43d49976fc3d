import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

/** Rows of the transition table that no other story passes. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const balance = async (client: Client) => (await client.call(getUser)).body.balance;

test('a free charge that the car ends is finished at once: there is no money to wait for', async () => {
  const { device, transactionId, client, id } = await world.startCharge('150', 1_000, { price: 0 });
  await device.stop(transactionId, 1_200, { reason: 'EVDisconnected' });
  expect(await world.until(client, id, 'finished')).toMatchObject({ energy: 200, total: 0, payment_status: null });
  const steps = await world.db.selectFrom('operation_log').select('text').where('operation_id', '=', id).execute();
  expect(steps.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^ongoing → finished: stopped by car/));
});

test('a driver who stops before any energy flowed has everything back [MACH-18]', async () => {
  const { device, transactionId, client, id } = await world.startCharge();
  expect((await client.call(stopOperation, { params: { id: String(id) } })).body).toEqual({ status: 'finishing' });
  await device.asked('RemoteStopTransaction');
  await device.stop(transactionId, 1_000, { reason: 'Remote' });
  expect(await world.until(client, id, 'failed')).toMatchObject({ total: 0, energy: 0, payment_status: 'reversed' });
  expect(await balance(client)).toBe(1000_00);
  await world.checkBooks();
});

test('a driver who cancels before the start was sent has everything back, and the station is never asked', async () => {
  // The node that sends starts is away: the deposit is secured, and that is all that happens.
  const idle = await startWorld({ config: { roles: ['api', 'gateway'] } });
  try {
    const station = await idle.addScripted();
    const { client } = await idle.driver(100_00);
    const { body } = await idle.pay(client, { connector: station.connector, amount: '100' });
    const params = { id: body.page_url.slice(2) };
    expect((await client.call(getOperation, { params })).body).toMatchObject({ status: 'pending', start_attempt: 0 });
    expect(await balance(client)).toBe(0);
    expect((await client.call(stopOperation, { params })).body).toEqual({ status: 'canceled' });
    expect((await client.call(getOperation, { params })).body).toMatchObject({ total: 0, payment_status: 'reversed' });
    expect(await balance(client)).toBe(100_00);
    expect(station.device.commands.some(({ action }) => action === 'RemoteStartTransaction')).toBe(false);
    await idle.checkBooks();
  } finally {
    await idle.close();
  }
});
