import { activeOperations, withdrawOperation } from '@fpay/contract/charging';
import { getConnectors } from '@fpay/contract/stations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const card = { payment_type: 'card' as const };
const openOf = async (client: Client) => (await client.call(activeOperations)).body;
const withdraw = (client: Client, id: number) => client.call(withdrawOperation, { params: { id: String(id) } });

async function unpaid() {
  const station = await stack.addScripted();
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '100', ...card });
  return { station, client, page: body.page_url, id: (await openOf(client))[0]?.id ?? 0 };
}

test('an own unpaid operation names its connector, the bank’s page and its time; on the wire the connector is occupied [STN-23]', async () => {
  const { station, client, page, id } = await unpaid();
  const [open] = await openOf(client);
  expect(open).toMatchObject({
    id,
    status: 'created',
    unpaid: { connector: station.connector, page_url: page, seconds: 900 },
  });
  expect(open?.unpaid?.seconds_left).toBeGreaterThan(840);
  expect(open?.unpaid?.seconds_left).toBeLessThanOrEqual(900);
  const states = await client.call(getConnectors, { params: { number: station.number } });
  expect(states.body).toMatchObject([{ id: station.connector, status: 'occupied' }]);
});

test('withdrawing cancels it with its invoice and frees the connector; twice is the same [STN-23]', async () => {
  const { station, client, page, id } = await unpaid();
  expect((await withdraw(client, id)).body).toEqual({ status: 'canceled' });
  expect((await withdraw(client, id)).body).toEqual({ status: 'canceled' });
  expect(await openOf(client)).toEqual([]);
  const states = await client.call(getConnectors, { params: { number: station.number } });
  expect(states.body).toMatchObject([{ id: station.connector, status: 'ready' }]);
  const payment = await stack.db
    .selectFrom('payments')
    .select(['page_url', 'wanted'])
    .where('operation_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(payment).toEqual({ page_url: page, wanted: 'release' });
  await stack.checkBooks();
});

test('one that was paid a moment ago is not withdrawn: the charge goes on, and no longer waits for a payment [STN-23]', async () => {
  const { client, page, id } = await unpaid();
  await stack.payAtBank(page);
  const paid = await stack.until(client, id, 'starting');
  expect(paid.status).toBe('starting');
  expect((await withdraw(client, id)).body).toEqual({ status: 'starting' });
  expect(await openOf(client)).toMatchObject([{ id, status: 'starting', unpaid: null }]);
});

test('another driver’s operation cannot be withdrawn', async () => {
  const { id } = await unpaid();
  const { client } = await stack.driver();
  expect((await withdraw(client, id)).status).toBe(404);
});
