import { getUser } from '@fpay/contract/account';
import { getOperation, stopOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Rows of the transition table that no other test covers. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const balance = async (client: Client) => (await client.call(getUser)).body.balance;

test('a free charge that the car ends is finished at once: there is no money to wait for', async () => {
  const { device, transactionId, client, id } = await stack.startCharge('150', 1_000, { price: 0 });
  await device.stop(transactionId, 1_200, { reason: 'EVDisconnected' });
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 200, total: 0, payment_status: null });
  const steps = await stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', id).execute();
  expect(steps.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^ongoing → finished: stopped by car/));
});

test('a driver who stops before any energy flowed has everything back [MACH-18]', async () => {
  const { device, transactionId, client, id } = await stack.startCharge();
  expect((await client.call(stopOperation, { params: { id: String(id) } })).body).toEqual({ status: 'finishing' });
  await device.asked('RemoteStopTransaction');
  await device.stop(transactionId, 1_000, { reason: 'Remote' });
  expect(await stack.until(client, id, 'failed')).toMatchObject({ total: 0, energy: 0, payment_status: 'reversed' });
  expect(await balance(client)).toBe(1000_00);
  await stack.checkBooks();
});

test('a driver who cancels before the start was sent has everything back, and no start is sent to the station', async () => {
  // The node that sends starts is not running: the deposit is secured, and nothing else happens.
  const idle = await startStack({ config: { roles: ['api', 'gateway'] } });
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
