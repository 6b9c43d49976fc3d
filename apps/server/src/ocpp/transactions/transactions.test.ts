import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ago, type GatewayFixture, reading, startGateway } from '../testing/gateway.ts';
import { closeOnLastReading } from './transaction-close.ts';

let gateway: GatewayFixture;
let chargePoint: Awaited<ReturnType<GatewayFixture['addChargePoint']>>;
let client: RPCClient;
let operation: { id: number; tag: string };

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  chargePoint = await gateway.addChargePoint({ connectors: [60_000, 60_000] });
  operation = await gateway.addOperation(chargePoint, chargePoint.connectorIds[0] ?? 0);
  client = await gateway.connect(chargePoint, { callConcurrency: 1_000 });
  gateway.started.length = 0;
  gateway.ended.length = 0;
});

type Answer = Record<string, unknown> & { transactionId: number; idTagInfo: { status: string } };
const call = async (action: string, payload: object, by = client) => (await by.call(action, payload)) as Answer;
const start = (more: object = {}, by = client) =>
  call(
    'StartTransaction',
    { connectorId: 1, idTag: operation.tag, meterStart: 1_000_000, timestamp: ago(1800).toISOString(), ...more },
    by,
  );
const values = (transactionId: unknown, ...meterValue: object[]) =>
  call('MeterValues', { connectorId: 1, transactionId, meterValue });
const stop = (more: object = {}) =>
  call('StopTransaction', { meterStop: 1_005_000, timestamp: new Date().toISOString(), ...more });
const energy = async () => (await gateway.operation(operation.id)).energy_wh;

describe('starts', () => {
  test('field problem 11: the same StartTransaction sent again gets the same id and one transaction', async () => {
    const timestamp = ago(60).toISOString();
    const first = await start({ timestamp });
    const again = await start({ timestamp });
    expect(again).toEqual(first);
    expect(await gateway.transactionsOf(chargePoint.id)).toHaveLength(1);
    expect(gateway.started).toHaveLength(1);
  });

  test('field problem 47: sent twice at the same moment, also over two sockets, it is one operation', async () => {
    const timestamp = ago(60).toISOString();
    const answers = await Promise.all([start({ timestamp }), start({ timestamp }), start({ timestamp })]);
    const other = await gateway.connect(chargePoint);
    const late = await start({ timestamp }, other);
    expect(new Set([...answers, late].map(({ transactionId }) => transactionId)).size).toBe(1);
    expect([...answers, late].map(({ idTagInfo }) => idTagInfo.status)).toEqual(Array(4).fill('Accepted'));
    expect(gateway.started).toHaveLength(1);
  });

  test('field problem 42: two connectors that start at once have two ids and two operations', async () => {
    const second = await gateway.addOperation(chargePoint, chargePoint.connectorIds[1] ?? 0);
    const timestamp = ago(60).toISOString();
    const [one, two] = await Promise.all([
      start({ timestamp }),
      start({ timestamp, connectorId: 2, idTag: second.tag }),
    ]);
    expect(one.transactionId).not.toBe(two.transactionId);
    expect(await gateway.transactionsOf(chargePoint.id)).toMatchObject([
      { ocpp_connector: 1, operation_id: operation.id },
      { ocpp_connector: 2, operation_id: second.id },
    ]);
  });

  test('field problem 28: case, colons and spaces of a tag do not matter', async () => {
    gateway.expected.set('2069C021', operation.id);
    expect(await start({ idTag: '20:69:c0:21' })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    expect(await call('Authorize', { idTag: ' 2069c021 ' })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    expect(await gateway.transactionsOf(chargePoint.id)).toMatchObject([{ id_tag: '2069C021' }]);
  });

  test('field problem 30: a start with an unknown tag, queued while offline, is recorded and answered Invalid with an id', async () => {
    const answer = await start({ idTag: 'STRANGER', timestamp: ago(7200).toISOString() });
    expect(answer).toMatchObject({ idTagInfo: { status: 'Invalid' }, transactionId: expect.any(Number) });
    expect(await gateway.transaction(answer.transactionId)).toMatchObject({
      operation_id: null,
      id_tag_status: 'Invalid',
    });
    expect(await stop({ transactionId: answer.transactionId })).toEqual({});
  });

  test('field problem 27: ids are unique over the network and never 0', async () => {
    const elsewhere = await gateway.addChargePoint();
    const other = await gateway.connect(elsewhere);
    const mine = await start();
    const theirs = await start({ idTag: 'X' }, other);
    expect(mine.transactionId).toBeGreaterThan(0);
    expect(theirs.transactionId).not.toBe(mine.transactionId);
  });

  test('field problem 45: a start stamped 1970 is billed by energy and dated by our clock', async () => {
    const { transactionId } = await start({ timestamp: '1970-01-01T00:00:12Z' });
    const row = await gateway.transaction(transactionId);
    expect(row).toMatchObject({
      is_clock_skewed: true,
      device_started_at: expect.stringContaining('1970-01-01T00:00:12Z'),
    });
    expect(Math.abs(row.started_at.getTime() - Date.now())).toBeLessThan(10_000);
    await stop({ transactionId, meterStop: 1_000_150, timestamp: '1970-01-01T00:10:12Z' });
    const ended = await gateway.transaction(transactionId);
    expect(ended.energy_wh).toBe(150);
    expect(Math.abs((ended.stopped_at?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
  });

  test('field problem 22: a clock hours ahead, or without a zone, is stored beside ours and does not date the charge', async () => {
    const local = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 19);
    const { transactionId } = await start({ timestamp: local });
    const row = await gateway.transaction(transactionId);
    expect(row).toMatchObject({ is_clock_skewed: true, device_started_at: local });
    expect(Math.abs(row.started_at.getTime() - Date.now())).toBeLessThan(10_000);
    expect(await gateway.anomaliesOf(chargePoint.id)).toContain('clockSkewed');
  });

  test('a device whose clock is never set starts again after each boot: the second charge is not a repeat of the first', async () => {
    const timestamp = '1970-01-01T00:00:12Z';
    const first = await start({ timestamp });
    expect((await start({ timestamp })).transactionId).toBe(first.transactionId);
    await stop({ transactionId: first.transactionId, meterStop: 1_000_000 });
    expect((await start({ timestamp })).transactionId).not.toBe(first.transactionId);
  });

  test('charging gets the transactions that are still open on the connector', async () => {
    const first = await start();
    await start({ idTag: 'OTHER', timestamp: ago(10).toISOString() });
    expect(gateway.started.at(-1)?.stillOpen).toEqual([
      { ocppTransactionId: first.transactionId, operationId: operation.id },
    ]);
  });
});

describe('stops', () => {
  test('field problem 12: a stop sent again is acknowledged and billed once', async () => {
    const { transactionId } = await start();
    const answer = await stop({ transactionId, idTag: operation.tag });
    expect(await stop({ transactionId, idTag: operation.tag, meterStop: 1_009_000 })).toEqual(answer);
    expect(gateway.ended).toHaveLength(1);
    expect(await gateway.transaction(transactionId)).toMatchObject({ energy_wh: 5_000, stop_repeats: 1 });
  });

  test.each([0, -1, 2_000_000_000])(
    'field problem 13: a stop with the id %s is matched by its tag',
    async (transactionId) => {
      const begun = await start();
      await start({ connectorId: 2, idTag: 'SOMEONE ELSE' });
      expect(await stop({ transactionId, idTag: operation.tag.toLowerCase() })).toEqual({
        idTagInfo: { status: 'Accepted' },
      });
      expect(gateway.ended).toMatchObject([{ ocppTransactionId: begun.transactionId, energyWh: 5_000 }]);
    },
  );

  test('field problem 13: a stop that fits no charge is answered and listed for staff', async () => {
    expect(await stop({ transactionId: -1 })).toEqual({});
    expect(gateway.ended).toEqual([]);
    expect(await gateway.anomaliesOf(chargePoint.id)).toEqual(['unmatchedStop']);
  });

  test('a stop whose start was lost is applied together with it when charging waits for the tag', async () => {
    gateway.hooks.expected = async (_step, { idTag }) => (idTag === operation.tag ? { ocppConnector: 1 } : null);
    const transactionData = [
      reading(ago(600), 1_000_000, { context: 'Transaction.Begin' }),
      reading(ago(5), 1_004_000),
    ];
    await stop({ transactionId: -1, idTag: operation.tag, meterStop: 1_004_200, transactionData });
    gateway.hooks.expected = async () => null;
    expect(gateway.started).toHaveLength(1);
    expect(gateway.ended).toMatchObject([{ operationId: operation.id, energyWh: 4_200 }]);
    expect(await gateway.anomaliesOf(chargePoint.id)).toContain('lostStart');
  });

  test('field problem 31: a stop without a tag, or by another one, ends the charge', async () => {
    const first = await start();
    expect(await stop({ transactionId: first.transactionId })).toEqual({});
    const second = await start({ timestamp: ago(30).toISOString() });
    expect(await stop({ transactionId: second.transactionId, idTag: 'A GUARD', meterStop: 1_000_400 })).toEqual({
      idTagInfo: { status: 'Accepted' },
    });
    expect(gateway.ended.map(({ idTag }) => idTag)).toEqual([null, 'AGUARD']);
  });

  test.each([0, -1, 999_000])('field problem 17: meterStop %s falls back to the last reading', async (meterStop) => {
    const { transactionId } = await start();
    await values(transactionId, reading(ago(60), 1_007_000));
    await stop({ transactionId, meterStop });
    expect(gateway.ended).toMatchObject([{ energyWh: 7_000, isFromLastReading: true }]);
    expect(await gateway.anomaliesOf(chargePoint.id)).toEqual(['meterStopIgnored']);
  });

  test('field problem 43: MeterValues directly followed by StopTransaction lose nothing, transactionData counts too', async () => {
    const { transactionId } = await start();
    const transactionData = [reading(ago(30), 1_008_500, { context: 'Transaction.End' })];
    await Promise.all([
      values(transactionId, reading(ago(600), 1_003_000)),
      values(transactionId, reading(ago(300), 1_006_000)),
      stop({ transactionId, meterStop: 1_009_000, transactionData }),
    ]);
    expect(await energy()).toBe(9_000);
    expect((await gateway.samplesOf(transactionId)).map(({ energy_wh }) => energy_wh)).toEqual([
      1_003_000, 1_006_000, 1_008_500,
    ]);
  });

  test('field problem 46: another charge point cannot stop or meter this transaction', async () => {
    const { transactionId } = await start();
    const elsewhere = await gateway.addChargePoint();
    const other = await gateway.connect(elsewhere);
    await call('MeterValues', { connectorId: 1, transactionId, meterValue: [reading(ago(1), 1_009_000)] }, other);
    await call('StopTransaction', { transactionId, meterStop: 1_009_000, timestamp: ago(1).toISOString() }, other);
    expect(await gateway.transaction(transactionId)).toMatchObject({ stopped_at: null, energy_wh: 0 });
    expect(gateway.ended).toEqual([]);
    expect(await gateway.anomaliesOf(elsewhere.id)).toEqual(['foreignTransaction']);
  });

  test('field problem 16: a charge closed on its last reading is corrected by the late stop', async () => {
    const { transactionId } = await start();
    await values(transactionId, reading(ago(600), 1_003_000));
    const closed = await gateway.steps.run((step) =>
      closeOnLastReading(step, transactionId, { reason: 'PowerLoss', at: ago(300) }),
    );
    expect(closed).toMatchObject({ energyWh: 3_000, operationId: operation.id });
    await stop({ transactionId, meterStop: 1_004_000, reason: 'PowerLoss' });
    expect(gateway.ended).toMatchObject([{ energyWh: 4_000, isCorrection: true, reason: 'PowerLoss' }]);
    expect(await gateway.transaction(transactionId)).toMatchObject({ is_estimated: false, energy_wh: 4_000 });
  });

  test('field problem 39: an open charge can be closed while its device is away', async () => {
    const { transactionId } = await start();
    await values(transactionId, reading(ago(600), 1_003_000));
    await client.close();
    const close = () =>
      gateway.steps.run((step) => closeOnLastReading(step, transactionId, { reason: 'Other', at: ago(1) }));
    expect(await close()).toMatchObject({ energyWh: 3_000, operationId: operation.id });
    expect(await close()).toBeNull();
    expect(await gateway.transaction(transactionId)).toMatchObject({
      is_estimated: true,
      stopped_at: expect.any(Date),
    });
  });
});

describe('readings', () => {
  test.each([
    [{ transactionId: 0 }],
    [{ transactionId: -1 }],
    [{}],
    [{ transactionId: '' }],
    [{ transactionId: 1_999_999_999 }],
  ])('field problem 14: MeterValues with %j belong to the open charge of the connector', async (id) => {
    const { transactionId } = await start();
    const meterValue = [reading(ago(60), 1_002_000)];
    expect(await call('MeterValues', { connectorId: 1, ...id, meterValue })).toEqual({});
    expect(await gateway.transaction(transactionId)).toMatchObject({ energy_wh: 2_000 });
  });

  test('field problem 14: MeterValues of no charge at all are answered', async () => {
    expect(await call('MeterValues', { connectorId: 0, meterValue: [reading(ago(1), 5)] })).toEqual({});
    expect(await call('MeterValues', { connectorId: 2, transactionId: 77, meterValue: [] })).toEqual({});
  });

  test('field problem 18: a meter that restarts in the middle goes on counting', async () => {
    const { transactionId } = await start();
    await values(transactionId, reading(ago(600), 1_003_000));
    await values(transactionId, reading(ago(540), 200));
    await values(transactionId, reading(ago(480), 1_000));
    expect(await energy()).toBe(4_000);
    expect(await gateway.anomaliesOf(chargePoint.id)).toEqual(['meterReset']);
  });

  test('field problem 19: kWh without a unit are recognised and counted as kWh', async () => {
    const { transactionId } = await start();
    await values(transactionId, { timestamp: ago(600).toISOString(), sampledValue: [{ value: '1003.250' }] });
    expect(await energy()).toBe(3_250);
    expect(await gateway.anomaliesOf(chargePoint.id)).toEqual(['wrongUnit']);
  });

  test('field problem 44: kWh, fractions and older readings are each read correctly', async () => {
    const { transactionId } = await start();
    await values(transactionId, reading(ago(900), '1012.0', { unit: 'kWh' }));
    expect(await energy()).toBe(12_000);
    await values(transactionId, reading(ago(800), '1012500.6'));
    expect(await energy()).toBe(12_501);
    await values(transactionId, reading(ago(850), 1_012_200));
    expect(await energy()).toBe(12_501);
  });

  test('field problem 23: a replay of history after a reconnect changes neither energy nor what is shown', async () => {
    const { transactionId } = await start();
    const sample = (seconds: number, wh: number, watts: number) => ({
      timestamp: ago(seconds).toISOString(),
      sampledValue: [{ value: String(wh) }, { value: String(watts), measurand: 'Power.Active.Import' }],
    });
    await values(transactionId, sample(60, 1_009_000, 30_000));
    await values(transactionId, sample(600, 1_002_000, 55_000), sample(500, 1_003_000, 54_000));
    expect(await gateway.operation(operation.id)).toMatchObject({ energy_wh: 9_000, power_w: 30_000 });
    expect(await gateway.samplesOf(transactionId)).toHaveLength(3);
  });

  test('power in the data of a stop that the connector cannot deliver is replaced by what the registers show', async () => {
    const { transactionId } = await start();
    const now = Date.now();
    const sample = (seconds: number, wh: number, watts: number) => ({
      timestamp: new Date(now - seconds * 1_000).toISOString(),
      sampledValue: [{ value: String(wh) }, { value: String(watts), measurand: 'Power.Active.Import' }],
    });
    await values(transactionId, sample(120, 1_004_500, 10_000));
    expect((await gateway.operation(operation.id)).power_w).toBe(10_000);
    await stop({ transactionId, transactionData: [sample(60, 1_005_000, 7_200_000)] });
    // 500 Wh in a minute.
    expect(await gateway.operation(operation.id)).toMatchObject({ energy_wh: 5_000, power_w: 30_000 });
  });

  test('field problem 35: values after the stop do not reopen a charge', async () => {
    const { transactionId } = await start();
    await stop({ transactionId });
    await values(transactionId, reading(new Date(), 1_009_000, { context: 'Transaction.End' }));
    expect(await gateway.transaction(transactionId)).toMatchObject({ energy_wh: 5_000, stopped_at: expect.any(Date) });
    expect(await energy()).toBe(5_000);
  });

  test('the same reading sent twice is one reading', async () => {
    const { transactionId } = await start();
    const sample = reading(ago(60), 1_002_000);
    await values(transactionId, sample);
    await values(transactionId, sample);
    expect(await gateway.samplesOf(transactionId)).toHaveLength(1);
  });

  test('energy faster than the connector can deliver is not billed', async () => {
    const { transactionId } = await start();
    await values(transactionId, reading(ago(1700), 1_001_000));
    await values(transactionId, reading(ago(1690), 1_101_000));
    expect(await energy()).toBe(1_000);
    expect(await gateway.anomaliesOf(chargePoint.id)).toEqual(['tooFast']);
  });

  test('field problem 52: an hour of queued samples is written in one burst, in order, at full speed', async () => {
    const { transactionId } = await start({ timestamp: ago(3700).toISOString() });
    const burst = Array.from({ length: 360 }, (_, n) =>
      values(transactionId, reading(ago(3600 - n * 10), 1_000_000 + (n + 1) * 50)),
    );
    const startedAt = performance.now();
    await Promise.all(burst);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(await energy()).toBe(18_000);
    expect(await gateway.samplesOf(transactionId)).toHaveLength(360);
  });

  test('field problem 48: message ids that start again from 1 after a reboot have no effect', async () => {
    const { WebSocket } = await import('ws');
    const sockets: InstanceType<typeof WebSocket>[] = [];
    const open = async () => {
      const authorization = `Basic ${Buffer.from(`${chargePoint.identity}:${chargePoint.password}`).toString('base64')}`;
      const socket = new WebSocket(`${gateway.url}/${chargePoint.identity}`, ['ocpp1.6'], {
        headers: { authorization },
      });
      sockets.push(socket);
      await new Promise((resolve) => socket.once('open', resolve));
      return (frame: unknown[]) =>
        new Promise<unknown[]>((resolve) => {
          socket.once('message', (data) => resolve(JSON.parse(String(data)) as unknown[]));
          socket.send(JSON.stringify(frame));
        });
    };
    const before = await open();
    expect(await before([2, '1', 'Heartbeat', {}])).toMatchObject([3, '1', { currentTime: expect.any(String) }]);
    const after = await open();
    const begun = { connectorId: 1, idTag: operation.tag, meterStart: 0, timestamp: ago(5).toISOString() };
    expect(await after([2, '1', 'StartTransaction', begun])).toMatchObject([
      3,
      '1',
      { transactionId: expect.any(Number) },
    ]);
    for (const socket of sockets) socket.terminate();
  });
});
