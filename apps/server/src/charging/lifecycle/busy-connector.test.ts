import { sql } from 'kysely';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** A connector whose status flutters while it charges. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const transactions = async () => {
  const { rows } = await sql<{ count: number }>`select xact_commit::int as count from pg_stat_database
    where datname = current_database()`.execute(stack.db);
  return rows[0]?.count ?? 0;
};
const statusOf = async (connector: number) => {
  const query = stack.db.selectFrom('connectors').select('ocpp_status').where('id', '=', connector);
  return (await query.executeTakeFirstOrThrow()).ocpp_status;
};

test('field problem 64: 600 statuses at once of a charging connector are written together, and the stop behind them waits for none', async () => {
  const fixture = await stack.startCharge();
  await fixture.device.meter(1, fixture.transactionId, 1_100);
  const { url: endpoint, identity, password } = fixture;
  const client = new RPCClient({
    endpoint,
    identity,
    password,
    protocols: ['ocpp1.6'],
    reconnect: false,
    callConcurrency: 1_000,
  } as ConstructorParameters<typeof RPCClient>[0]);
  client.handle((() => ({ status: 'Accepted' })) as never);
  await client.connect();
  const before = await transactions();
  const statuses = Array.from({ length: 600 }, (_, n) =>
    client.call('StatusNotification', {
      connectorId: 1,
      errorCode: 'NoError',
      // The last one of them is Charging.
      status: ['SuspendedEV', 'SuspendedEVSE', 'Charging'][n % 3],
    }),
  );
  const timestamp = new Date().toISOString();
  const stop = client.call('StopTransaction', { transactionId: fixture.transactionId, meterStop: 1_140, timestamp });
  await Promise.all([...statuses, stop]);
  // One by one they took more than 1,800.
  expect((await transactions()) - before).toBeLessThan(400);
  expect(await statusOf(fixture.connector)).toBe('Charging');
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 140 });
  await client.close();
});
