import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../platform/database.ts';
import type { OutboxEvent } from '../platform/outbox.ts';
import { createSteps, type Steps } from '../platform/step.ts';
import { testDatabase } from '../testing/database.ts';
import { createDeviceStates, type StatusReport } from './device-states.ts';
import { networkFixture } from './network.test-support.ts';

const now = new Date('2026-11-15T10:00:00Z');
const clock = { now: () => now };
const at = (time: string) => new Date(`2026-11-15T${time}Z`);
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

type Told = Pick<StatusReport, 'status'> & Partial<StatusReport>;

function set(chargePointId: number, report: Told) {
  return steps.run((step) =>
    devices.setStatus(step, { chargePointId, ocppConnector: 1, errorCode: 'NoError', deviceAt: null, ...report }),
  );
}

async function stored(connectorId = 0): Promise<string | null> {
  const row = await opened.db
    .selectFrom('connectors')
    .select('ocpp_status')
    .where('id', '=', connectorId)
    .executeTakeFirst();
  return row?.ocpp_status ?? null;
}

async function told(work: () => Promise<unknown>): Promise<OutboxEvent[]> {
  await opened.db.deleteFrom('outbox').execute();
  await work();
  return opened.db.selectFrom('outbox').select(['topic', 'ref']).orderBy('ref').execute();
}

it("keeps a device's newest word and ignores one that its own clock stamped earlier", async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F1' });
  expect(await set(chargePointId, { status: 'Preparing', deviceAt: at('09:59:00') })).toBe('changed');
  expect(await set(chargePointId, { status: 'Available', deviceAt: at('09:58:59') })).toBe('older');
  expect(await stored(connectorIds[0])).toBe('Preparing');
  expect(await set(chargePointId, { status: 'Preparing', deviceAt: at('09:59:30') })).toBe('same');
  expect(await set(chargePointId, { status: 'Charging', deviceAt: at('09:59:30') })).toBe('changed');
});

it('is not led astray by a clock that is hours behind, ahead, missing or set back at boot', async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F2' });
  const last = () => stored(connectorIds[0]);
  await set(chargePointId, { status: 'Preparing' });
  await set(chargePointId, { status: 'Charging', deviceAt: at('04:00:00') });
  expect(await last()).toBe('Charging');
  // Three hours ahead: counts as said now, and does not outrank the true times that follow.
  await set(chargePointId, { status: 'Finishing', deviceAt: at('13:00:00') });
  expect(await last()).toBe('Finishing');
  await set(chargePointId, { status: 'Available', deviceAt: at('10:00:05') });
  expect(await last()).toBe('Available');
  await steps.run((step) => devices.forgetStamps(step, chargePointId));
  await set(chargePointId, { status: 'Unavailable', deviceAt: new Date('1970-01-01T00:00:10Z') });
  expect(await last()).toBe('Unavailable');
});

it('takes a word about the whole device, and says so when a connector is not ours', async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F3' });
  expect(await set(chargePointId, { ocppConnector: 0, status: 'Faulted' })).toBe('changed');
  expect(await stored(connectorIds[0])).toBe('Available');
  const row = await opened.db
    .selectFrom('charge_points')
    .select('ocpp_status')
    .where('id', '=', chargePointId)
    .executeTakeFirstOrThrow();
  expect(row.ocpp_status).toBe('Faulted');
  expect(await set(chargePointId, { ocppConnector: 9, status: 'Available' })).toBe('noSuchConnector');
});

it('tells of a station only when it looks different', async () => {
  const { id, chargePointId, connectorIds } = await network.station({ number: 'F4' });
  const station = [{ topic: 'station', ref: String(id) }];
  expect(await told(() => set(chargePointId, { status: 'Preparing' }))).toEqual(station);
  expect(await told(() => set(chargePointId, { status: 'Preparing' }))).toEqual([]);
  expect(await told(() => set(chargePointId, { status: 'Preparing', errorCode: 'WeakSignal' }))).toEqual([]);
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
