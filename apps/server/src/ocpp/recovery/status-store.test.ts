import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database.ts';
import { createSteps } from '../../platform/step.ts';
import { networkFixture } from '../../stations/testing/network.ts';
import { testDatabase } from '../../testing/database.ts';
import { type StatusReport, writeStatuses } from './status-store.ts';

const now = new Date('2026-11-15T10:00:00Z');
const clock = { now: () => now };
const at = (time: string) => Date.parse(`2026-11-15T${time}Z`);
let database: Awaited<ReturnType<typeof testDatabase>>;
let opened: ReturnType<typeof openDatabase>;
let network: ReturnType<typeof networkFixture>;

beforeAll(async () => {
  database = await testDatabase();
  opened = openDatabase({ url: database.appUrl, poolSize: 4 });
  network = networkFixture(
    opened.db,
    createSteps(opened.db, () => {}),
    clock,
  );
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

type Received = Pick<StatusReport, 'status'> & Partial<StatusReport>;
const usual = { ocppConnector: 1, errorCode: 'NoError', deviceAt: null, receivedAt: now.getTime() };

const write = (chargePointId: number, report: Received, hold: ReadonlySet<string> | 'all' | null = null) =>
  writeStatuses(opened.db, [{ chargePointId, ...usual, ...report }], { hold, now });

/** `changed`, or the reason why it was not. */
async function set(chargePointId: number, report: Received): Promise<string> {
  const { changed, unknown } = await write(chargePointId, report);
  return unknown > 0 ? 'unknown' : changed.length > 0 ? 'changed' : 'unchanged';
}

async function stored(connectorId = 0) {
  return opened.db
    .selectFrom('connectors')
    .select(['ocpp_status', 'error_code', 'status_at', 'status_device_at'])
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow();
}

async function outboxAfter(work: () => Promise<unknown>) {
  await opened.db.deleteFrom('outbox').execute();
  await work();
  return opened.db.selectFrom('outbox').select(['topic', 'ref']).orderBy('id').execute();
}

it("stores a device's newest status, and of those that it kept none that it stamped earlier", async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F1' });
  expect(await set(chargePointId, { status: 'Preparing', deviceAt: at('09:59:00') })).toBe('changed');
  expect(await set(chargePointId, { status: 'Available', deviceAt: at('09:58:59'), isKept: true })).toBe('unchanged');
  expect(await stored(connectorIds[0])).toMatchObject({ ocpp_status: 'Preparing' });
  expect(await set(chargePointId, { status: 'Preparing', deviceAt: at('09:59:30') })).toBe('unchanged');
  expect(await stored(connectorIds[0])).toMatchObject({ status_device_at: new Date(at('09:59:30')) });
  expect(await set(chargePointId, { status: 'Charging', deviceAt: at('09:59:30') })).toBe('changed');
});

it('is not misled by a clock that is hours behind, ahead or missing', async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F2' });
  const last = async () => (await stored(connectorIds[0])).ocpp_status;
  await set(chargePointId, { status: 'Preparing' });
  await set(chargePointId, { status: 'Charging', deviceAt: at('04:00:00') });
  expect(await last()).toBe('Charging');
  // Three hours ahead: it counts as reported now and does not outrank the right times that follow.
  await set(chargePointId, { status: 'Finishing', deviceAt: at('13:00:00') });
  expect(await last()).toBe('Finishing');
  await set(chargePointId, { status: 'Available', deviceAt: at('10:00:05') });
  expect(await last()).toBe('Available');
});

it('stores a status of the whole device, and reports a connector that is not in the network', async () => {
  const { id, chargePointId, connectorIds } = await network.station({ number: 'F3' });
  const station = [{ topic: 'station', ref: String(id) }];
  const faulted = () => set(chargePointId, { ocppConnector: 0, status: 'Faulted' });
  expect(await outboxAfter(faulted)).toEqual(station);
  expect(await outboxAfter(faulted)).toEqual([]);
  expect(await stored(connectorIds[0])).toMatchObject({ ocpp_status: 'Available' });
  const { rows } = await sql<{ ocpp_status: string }>`
    select ocpp_status from charge_points where id = ${chargePointId}`.execute(opened.db);
  expect(rows).toEqual([{ ocpp_status: 'Faulted' }]);
  expect(await set(chargePointId, { ocppConnector: 9, status: 'Available' })).toBe('unknown');
});

it('adds an outbox row only when the station looks different', async () => {
  const { id, chargePointId } = await network.station({ number: 'F4' });
  const station = [{ topic: 'station', ref: String(id) }];
  expect(await outboxAfter(() => set(chargePointId, { status: 'Preparing' }))).toEqual(station);
  expect(await outboxAfter(() => set(chargePointId, { status: 'Preparing' }))).toEqual([]);
  const warned: Received = { status: 'Preparing', errorCode: 'WeakSignal' };
  expect(await outboxAfter(async () => expect(await set(chargePointId, warned)).toBe('changed'))).toEqual([]);
});

it('does not write a change that has a listener until it is written without holding', async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F5' });
  const listened = new Set(['Faulted']);
  const [connectorId = 0] = connectorIds;
  const first = await write(chargePointId, { status: 'Faulted' }, listened);
  expect(first).toEqual({ held: [{ index: 0, connectorId }], changed: [], isPublished: false, unknown: 0 });
  expect(await stored(connectorId)).toMatchObject({ ocpp_status: 'Available' });
  expect(await write(chargePointId, { status: 'Faulted' })).toMatchObject({ changed: [{ index: 0, connectorId }] });
  // The same status again is no change, so listeners are not called again.
  expect(await write(chargePointId, { status: 'Faulted' }, listened)).toMatchObject({ held: [], changed: [] });
  expect(await write(chargePointId, { status: 'Charging' }, 'all')).toMatchObject({ held: [{ index: 0 }] });
});

it('writes the statuses of many charge points at once, each to its own connector', async () => {
  const made = await Promise.all(Array.from({ length: 40 }, (_, n) => network.station({ number: `G${n}` })));
  const reports = made.map(({ chargePointId }, n) => ({
    chargePointId,
    ...usual,
    status: n % 2 === 0 ? 'Preparing' : 'Available',
    errorCode: n % 4 === 0 ? 'WeakSignal' : 'NoError',
  }));
  const written = await writeStatuses(opened.db, reports, { hold: new Set(), now });
  expect(written).toEqual({ held: [], changed: [], isPublished: true, unknown: 0 });
  for (const [n, { connectorIds }] of made.entries()) {
    const expected = { ocpp_status: reports[n]?.status, error_code: reports[n]?.errorCode };
    expect(await stored(connectorIds[0])).toMatchObject(expected);
  }
});

it('starts, continues and ends the timer of a stuck connector with the status', async () => {
  const { chargePointId, connectorIds } = await network.station({ number: 'F6' });
  const [connectorId = 0] = connectorIds;
  const stuck = () =>
    opened.db
      .selectFrom('stuck_connectors')
      .select(['ocpp_status', 'since', 'rung', 'recovered_at', 'next_action_at'])
      .where('connector_id', '=', connectorId)
      .executeTakeFirst();
  const report = (time: string, status: string) => set(chargePointId, { status, receivedAt: at(time) });
  await report('10:00:00', 'Charging');
  expect(await stuck()).toBeUndefined();

  await report('10:01:00', 'Faulted');
  const faulted = { ocpp_status: 'Faulted', since: new Date(at('10:01:00')), rung: 0, recovered_at: null };
  expect(await stuck()).toEqual({ ...faulted, next_action_at: new Date(at('10:01:20')) });

  await opened.db.updateTable('stuck_connectors').set({ rung: 1 }).where('connector_id', '=', connectorId).execute();
  await report('10:03:00', 'Available');
  expect(await stuck()).toMatchObject({ rung: 1, recovered_at: new Date(at('10:03:00')), next_action_at: null });

  // When it is stuck again within ten minutes the next remedy follows, not the first one.
  await report('10:12:00', 'Faulted');
  const relapsed = { since: new Date(at('10:12:00')), rung: 1, recovered_at: null };
  expect(await stuck()).toMatchObject({ ...relapsed, next_action_at: new Date(at('10:14:00')) });

  await report('10:15:00', 'Available');
  await report('10:25:01', 'Faulted');
  expect(await stuck()).toMatchObject({ rung: 0, next_action_at: new Date(at('10:25:21')) });

  // After the last remedy there is nothing to wait for.
  await opened.db.updateTable('stuck_connectors').set({ rung: 2 }).where('connector_id', '=', connectorId).execute();
  await report('10:26:00', 'Available');
  await report('10:27:00', 'Faulted');
  expect(await stuck()).toMatchObject({ rung: 2, next_action_at: null });
});
