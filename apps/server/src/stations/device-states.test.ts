import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../platform/database.ts';
import type { OutboxEvent } from '../platform/outbox.ts';
import { createSteps, type Steps } from '../platform/step.ts';
import { testDatabase } from '../testing/database.ts';
import { createDeviceStates } from './device-states.ts';
import { networkFixture } from './network.test-support.ts';

const now = new Date('2026-11-15T10:00:00Z');
const clock = { now: () => now };
const devices = createDeviceStates({ clock });
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

async function told(work: () => Promise<unknown>): Promise<OutboxEvent[]> {
  await opened.db.deleteFrom('outbox').execute();
  await work();
  return opened.db.selectFrom('outbox').select(['topic', 'ref']).orderBy('ref').execute();
}

it('tells of a station only when it looks different', async () => {
  const { id, chargePointId, connectorIds } = await network.station({ number: 'F4' });
  const station = [{ topic: 'station', ref: String(id) }];
  const online = (isOnline: boolean) => () =>
    steps.run((step) => devices.setOnline(step, [chargePointId, 999_999], isOnline));
  expect(await told(online(false))).toEqual(station);
  expect(await told(online(false))).toEqual([]);
  expect(await told(online(true))).toEqual(station);
  const [connectorId = 0] = connectorIds;
  expect(await told(() => steps.run((step) => devices.tellConnector(step, connectorId)))).toEqual(station);
});

it("tells of a party's stations when it is closed or opened", async () => {
  const partyId = await network.party(true);
  const one = await network.station({ number: 'F5', partyId });
  const two = await network.station({ number: 'F6', partyId });
  const events = await told(() => steps.run((step) => devices.tellParty(step, partyId)));
  expect(events.map(({ ref }) => Number(ref)).toSorted((a, b) => a - b)).toEqual([one.id, two.id]);
});
