import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectorStatusChanged } from '../device/charging-port.ts';
import { type GatewayFixture, startGateway } from '../testing/gateway.ts';

/** How much time the test has passed. */
let passed = 0;
const clock = { now: () => new Date(Date.now() + passed) };
let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await startGateway({ clock });
});
afterAll(() => gateway.stop());

const status = (connectorId: number, word: string, more: object = {}) => ({
  connectorId,
  errorCode: 'NoError',
  status: word,
  ...more,
});

const connectorsOf = async (chargePointId: number) => {
  const rows = await gateway.db
    .selectFrom('connectors')
    .select('ocpp_status')
    .where('charge_point_id', '=', chargePointId)
    .orderBy('ocpp_connector')
    .execute();
  return rows.map((row) => row.ocpp_status);
};

test('every listener is called once for each change, however often the device repeats it', async () => {
  const point = await gateway.addChargePoint({ connectors: [22_000, 22_000] });
  const listened: Pick<ConnectorStatusChanged, 'ocppConnector' | 'status'>[] = [];
  gateway.hooks.wantedStatuses = new Set(['Faulted']);
  gateway.hooks.connectorStatusChanged = async (_step, change) => void listened.push(change);
  const events: string[] = [];
  const forget = gateway.outbox.subscribe('station', (ref) => {
    if (ref === String(point.stationId)) events.push(ref);
  });
  const client = await gateway.connect(point);
  await expect.poll(() => events.length).toBe(1);
  events.length = 0;
  let changes = 0;
  for (const word of ['Available', 'Preparing', 'Preparing', 'Charging', 'Faulted', 'Faulted', 'Finishing']) {
    const before = (await connectorsOf(point.id))[0];
    await client.call('StatusNotification', status(1, word));
    if (before !== word) changes += 1;
    expect(await connectorsOf(point.id)).toEqual([word, null]);
    await expect.poll(() => events.length).toBe(changes);
  }
  expect(changes).toBe(5);
  expect(listened).toMatchObject([{ ocppConnector: 1, connectorId: point.connectorIds[0], status: 'Faulted' }]);
  const stuck = await gateway.db
    .selectFrom('stuck_connectors')
    .select('ocpp_status')
    .where('connector_id', '=', point.connectorIds[0] ?? 0)
    .execute();
  expect(stuck).toEqual([{ ocpp_status: 'Finishing' }]);
  forget();
  await client.close();
});

test('statuses that a device sends without waiting are written in their order', async () => {
  const point = await gateway.addChargePoint({ connectors: [22_000, 22_000] });
  const client = await gateway.connect(point, { callConcurrency: 50 });
  const words = [
    'Available',
    'Preparing',
    'Charging',
    'SuspendedEV',
    'Charging',
    'Finishing',
    'Available',
    'Preparing',
  ];
  const calls = words.flatMap((word) => [
    client.call('StatusNotification', status(1, word)),
    client.call('StatusNotification', status(2, word)),
  ]);
  await Promise.all(calls);
  expect(await connectorsOf(point.id)).toEqual(['Preparing', 'Preparing']);
  await client.close();
});

test('of statuses that arrive together the last one of each connector counts, and a listener is called for it', async () => {
  const point = await gateway.addChargePoint({ connectors: [22_000, 22_000] });
  const listened: string[] = [];
  gateway.hooks.wantedStatuses = new Set(['SuspendedEV', 'Faulted']);
  gateway.hooks.connectorStatusChanged = async (_step, change) => {
    listened.push(`${change.ocppConnector} ${change.status}`);
  };
  const client = await gateway.connect(point, { callConcurrency: 1_000 });
  const calls = Array.from({ length: 200 }, (_, n) => [
    client.call('StatusNotification', status(1, n % 2 === 0 ? 'Charging' : 'SuspendedEV')),
    client.call('StatusNotification', status(2, n % 2 === 0 ? 'Faulted' : 'Available')),
  ]);
  await Promise.all(calls.flat());
  expect(await connectorsOf(point.id)).toEqual(['SuspendedEV', 'Available']);
  // A batch can end between the last two messages, so the other connector may be the last one.
  expect(listened.findLast((one) => one.startsWith('1 '))).toBe('1 SuspendedEV');
  expect(listened.length).toBeLessThan(100);
  gateway.hooks.connectorStatusChanged = async () => {};
  await client.close();
});

test('a failing listener leaves its status unwritten and refused, and every other status of the batch is written', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => gateway.addChargePoint()));
  const points = made.toSorted((a, b) => a.id - b.id);
  const clients = await Promise.all(points.map((point) => gateway.connect(point)));
  const bad = points[5]?.id;
  gateway.hooks.wantedStatuses = new Set(['Faulted']);
  gateway.hooks.connectorStatusChanged = async (_step, { chargePointId }) => {
    if (chargePointId === bad) throw new Error('this one cannot be handled');
  };
  const outcomes = await Promise.allSettled(
    clients.map((client, n) => client.call('StatusNotification', status(1, n % 2 === 0 ? 'Available' : 'Faulted'))),
  );
  expect(outcomes.map((outcome) => outcome.status === 'fulfilled')).toEqual(points.map(({ id }) => id !== bad));
  const { rows } = await sql<{ ocpp_status: string | null }>`
    select ocpp_status from connectors where charge_point_id = any(${points.map(({ id }) => id)}::bigint[])
    order by charge_point_id`.execute(gateway.db);
  expect(rows.map((row) => row.ocpp_status)).toEqual(
    points.map(({ id }, n) => (id === bad ? null : n % 2 === 0 ? 'Available' : 'Faulted')),
  );
  gateway.hooks.connectorStatusChanged = async () => {};
  await Promise.all(clients.map((client) => client.close()));
});

const at = (offsetMs: number) => ({ timestamp: new Date(clock.now().getTime() + offsetMs).toISOString() });

test('field problem 58: on one socket the order of arrival counts, also after the clock was set back [CONN-27]', async () => {
  const point = await gateway.addChargePoint();
  const client = await gateway.connect(point);
  passed += 3 * 60_000;
  await client.call('StatusNotification', status(1, 'Finishing', at(0)));
  await client.call('StatusNotification', status(1, 'Available', at(-5 * 60_000)));
  expect(await connectorsOf(point.id)).toEqual(['Available']);
  await client.close();
});

test('field problem 58: what a device kept while it was away never replaces what it has reported since [CONN-27]', async () => {
  const point = await gateway.addChargePoint();
  const first = await gateway.connect(point);
  await first.call('StatusNotification', status(1, 'Charging', at(-120_000)));
  await first.close();
  const client = await gateway.connect(point);
  // It answers a request first and sends its queue afterwards.
  await client.call('StatusNotification', status(1, 'Available', at(1)));
  await client.call('StatusNotification', status(1, 'SuspendedEV', at(-60_000)));
  await client.call('StatusNotification', status(1, 'Finishing', at(-30_000)));
  expect(await connectorsOf(point.id)).toEqual(['Available']);
  await client.close();
});

test('after a boot the timestamps begin again, because the device may have set its clock back', async () => {
  const point = await gateway.addChargePoint();
  const client = await gateway.connect(point);
  await client.call('StatusNotification', status(1, 'Charging', at(0)));
  await client.call('StatusNotification', status(1, 'Available', at(-3_600_000)));
  expect(await connectorsOf(point.id)).toEqual(['Charging']);
  await gateway.boot(client);
  await client.call('StatusNotification', status(1, 'Available', at(-3_600_000)));
  expect(await connectorsOf(point.id)).toEqual(['Available']);
  await client.close();
});
