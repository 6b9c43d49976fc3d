import { afterAll, beforeAll, expect, it } from 'vitest';
import { setOnline } from '../ocpp/connections/charge-points.ts';
import { openDatabase } from '../platform/database.ts';
import { createSteps, type Steps } from '../platform/step.ts';
import { testDatabase } from '../testing/database.ts';
import { createDeviceStates } from './device-states.ts';
import { networkFixture } from './testing/network.ts';

const now = new Date('2026-11-15T10:00:00Z');
const clock = { now: () => now };
const devices = createDeviceStates();
let database: Awaited<ReturnType<typeof testDatabase>>;
let opened: ReturnType<typeof openDatabase>;
let steps: Steps;
let network: ReturnType<typeof networkFixture>;

beforeAll(async () => {
  database = await testDatabase();
  opened = openDatabase({ url: database.appUrl, poolSize: 2 });
  steps = createSteps(opened.db, () => {});
  network = networkFixture(opened.db, steps, clock);
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

async function published(work: () => Promise<unknown>): Promise<{ topic: string; ref: string }[]> {
  await opened.db.deleteFrom('outbox').execute();
  await work();
  return opened.db.selectFrom('outbox').select(['topic', 'ref']).orderBy('ref').execute();
}

it('publishes a station only when it looks different', async () => {
  const { id, chargePointId, connectorIds } = await network.station({ number: 'F4' });
  const station = [{ topic: 'station', ref: String(id) }];
  const online = (isOnline: boolean) => () =>
    steps.run((step) => setOnline(step, { clock, deviceStates: devices }, [chargePointId, 999_999], isOnline));
  expect(await published(online(false))).toEqual(station);
  expect(await published(online(false))).toEqual([]);
  expect(await published(online(true))).toEqual(station);
  const [connectorId = 0] = connectorIds;
  expect(await published(() => steps.run((step) => devices.publishConnector(step, connectorId)))).toEqual(station);
});

it('publishes the stations of a party when it is closed or opened', async () => {
  const partyId = await network.party(true);
  const one = await network.station({ number: 'F5', partyId });
  const two = await network.station({ number: 'F6', partyId });
  const events = await published(() => steps.run((step) => devices.publishParty(step, partyId)));
  expect(events.map(({ ref }) => Number(ref)).toSorted((a, b) => a - b)).toEqual([one.id, two.id]);
});
