import { afterAll, beforeAll, expect, it } from 'vitest';
import { isKey } from '../ocpp/connections/charge-point-key.ts';
import { openDatabase } from '../platform/database.ts';
import { createSteps } from '../platform/step.ts';
import { testDatabase } from '../testing/database.ts';
import { type ChargePointRegistry, createChargePointRegistry, readConnector } from './charge-points.ts';

const clock = { now: () => new Date('2026-11-15T10:00:00Z') };
const secret = 'a secret of the server, long enough';
let database: Awaited<ReturnType<typeof testDatabase>>;
let opened: ReturnType<typeof openDatabase>;
let registry: ChargePointRegistry;

beforeAll(async () => {
  database = await testDatabase();
  opened = openDatabase({ url: database.appUrl, poolSize: 2 });
  registry = createChargePointRegistry({ db: opened.db, steps: createSteps(opened.db, () => {}), clock, secret });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

async function opens(identity: string, password: string): Promise<boolean> {
  const { key_hash } = await opened.db
    .selectFrom('charge_points')
    .select('key_hash')
    .where('identity', '=', identity)
    .executeTakeFirstOrThrow();
  return isKey(secret, key_hash, Buffer.from(password));
}

it('adds a device with its connectors, and its station when that is new', async () => {
  const added = await registry.add({
    identity: 'CP-1',
    station: 'F1234',
    connectors: ['ccstype2:60000:1500', 'type2:22000'].map(readConnector),
  });
  expect(added).toEqual({
    identity: 'CP-1',
    password: expect.stringMatching(/^[0-9a-f]{40}$/),
    station: 'F1234',
    connectors: [
      { id: expect.any(Number), api_address: '1', type: 'ccstype2', power: 60_000, price: 15_00 },
      { id: expect.any(Number), api_address: '2', type: 'type2', power: 22_000, price: 15_00 },
    ],
  });
  expect(await opens('CP-1', added.password)).toBe(true);

  // A second device at the same station does not change the station's place.
  await registry.add({
    identity: 'CP-2',
    station: 'F1234',
    connectors: [readConnector('nacs:150000:0')],
    lat: 1,
    lon: 1,
  });
  const stations = await opened.db.selectFrom('stations').select(['number', 'lat', 'lon']).execute();
  expect(stations).toEqual([{ number: 'F1234', lat: 48.4647, lon: 35.0462 }]);
  expect(
    (await registry.list()).map(({ identity, stations: at, connectors }) => [identity, at, connectors.length]),
  ).toEqual([
    ['CP-1', ['F1234'], 2],
    ['CP-2', ['F1234'], 1],
  ]);
});

it('gives a device a new password, and the old one is refused', async () => {
  const { password: old } = await registry.add({
    identity: 'CP-3',
    station: 'F1235',
    connectors: [readConnector('type2:22000')],
  });
  const { password } = await registry.renewKey('CP-3');
  expect([await opens('CP-3', password), await opens('CP-3', old)]).toEqual([true, false]);
  await expect(registry.renewKey('CP-9')).rejects.toThrow('there is no charge point CP-9');
});

it.each([
  [{ identity: 'CP-1' }, 'there is already a charge point CP-1'],
  [{ identity: 'CP/4' }, 'CP/4: is no identity of a charge point'],
  [{ station: 'Station' }, 'Station: must look like F1234'],
  [{ connectors: [] }, 'a charge point needs at least one connector'],
])('refuses %j and writes nothing', async (more, reason) => {
  const before = await registry.list();
  const given = { identity: 'CP-4', station: 'F1236', connectors: [readConnector('type2:22000')], ...more };
  await expect(registry.add(given)).rejects.toThrow(reason);
  expect(await registry.list()).toEqual(before);
});

it.each([
  ['type2', 'type2: must be TYPE:WATTS or TYPE:WATTS:KOPECKS'],
  ['type2:22kW', 'type2:22kW: must be TYPE:WATTS or TYPE:WATTS:KOPECKS'],
  ['type2:22000:15.00', 'type2:22000:15.00: must be TYPE:WATTS or TYPE:WATTS:KOPECKS'],
  ['type2:22000:1500:1', 'type2:22000:1500:1: must be TYPE:WATTS or TYPE:WATTS:KOPECKS'],
  ['schuko:3000', 'schuko:3000: schuko is no connector type'],
  ['type2:22', 'type2:22: 22 W is no power of a connector'],
])('refuses %s as a connector', (text, reason) => {
  expect(() => readConnector(text)).toThrow(reason);
});
