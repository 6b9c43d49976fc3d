import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ago, type GatewayFixture, reading, startGateway } from './testing/gateway.ts';

let gateway: GatewayFixture;
let chargePoint: Awaited<ReturnType<GatewayFixture['addChargePoint']>>;
let client: RPCClient;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  chargePoint = await gateway.addChargePoint({ connectors: [60_000, 22_000] });
  // In strict mode every answer must conform to the standard.
  client = await gateway.connect(chargePoint, { strictMode: true });
});

const call = async (action: string, payload: object) => (await client.call(action, payload)) as Record<string, unknown>;

describe('messages of a charge point', () => {
  test('BootNotification is accepted, the device is known from then on and gets our time', async () => {
    const answer = await call('BootNotification', {
      chargePointVendor: 'ACME',
      chargePointModel: 'DC-60',
      chargePointSerialNumber: 'S1',
      firmwareVersion: '2.1.0',
    });
    expect(answer).toMatchObject({ status: 'Accepted', interval: 120 });
    expect(Math.abs(Date.parse(String(answer.currentTime)) - Date.now())).toBeLessThan(5_000);
    expect(await gateway.chargePoint(chargePoint.id)).toMatchObject({
      vendor: 'ACME',
      model: 'DC-60',
      serial_number: 'S1',
      firmware_version: '2.1.0',
      booted_at: expect.any(Date),
      is_online: true,
    });
  });

  test('Heartbeat is answered with our time', async () => {
    const { currentTime } = await call('Heartbeat', {});
    expect(Math.abs(Date.parse(String(currentTime)) - Date.now())).toBeLessThan(5_000);
  });

  test('StatusNotification changes the connector, and connector 0 the whole charge point', async () => {
    const statuses: object[] = [];
    gateway.hooks.wantedStatuses = 'all';
    gateway.hooks.connectorStatusChanged = async (_step, change) => void statuses.push(change);
    await call('StatusNotification', { connectorId: 2, errorCode: 'NoError', status: 'Preparing' });
    await call('StatusNotification', { connectorId: 0, errorCode: 'NoError', status: 'Unavailable' });
    const rows = await gateway.db
      .selectFrom('connectors')
      .select(['ocpp_connector', 'ocpp_status'])
      .where('charge_point_id', '=', chargePoint.id)
      .orderBy('ocpp_connector')
      .execute();
    expect(rows).toEqual([
      { ocpp_connector: 1, ocpp_status: null },
      { ocpp_connector: 2, ocpp_status: 'Preparing' },
    ]);
    expect(await gateway.chargePoint(chargePoint.id)).toMatchObject({ ocpp_status: 'Unavailable' });
    expect(statuses).toMatchObject([
      { ocppConnector: 2, connectorId: chargePoint.connectorIds[1], status: 'Preparing' },
      { ocppConnector: 0, connectorId: null, status: 'Unavailable' },
    ]);
  });

  test('a status of an unknown connector is answered and recorded', async () => {
    await call('StatusNotification', { connectorId: 9, errorCode: 'NoError', status: 'Available' });
    expect(await gateway.anomaliesOf(chargePoint.id)).toEqual(['unknownConnector']);
  });

  test('Authorize is answered by charging', async () => {
    const { tag } = await gateway.addOperation(chargePoint, chargePoint.connectorIds[0] ?? 0);
    expect(await call('Authorize', { idTag: tag.toLowerCase() })).toEqual({ idTagInfo: { status: 'Accepted' } });
    expect(await call('Authorize', { idTag: 'UNKNOWN' })).toEqual({ idTagInfo: { status: 'Invalid' } });
  });

  test('a charge from its start over its readings to its stop', async () => {
    const operation = await gateway.addOperation(chargePoint, chargePoint.connectorIds[0] ?? 0);
    const start = await call('StartTransaction', {
      connectorId: 1,
      idTag: operation.tag,
      meterStart: 1_000_000,
      timestamp: ago(600).toISOString(),
    });
    expect(start).toMatchObject({ idTagInfo: { status: 'Accepted' }, transactionId: expect.any(Number) });
    const transactionId = Number(start.transactionId);
    expect(await gateway.transaction(transactionId)).toMatchObject({
      operation_id: operation.id,
      connector_id: chargePoint.connectorIds[0],
      meter_start_wh: 1_000_000,
      id_tag_status: 'Accepted',
      is_clock_skewed: false,
    });

    const sampledAt = ago(300);
    const meterValue = [
      {
        timestamp: sampledAt.toISOString(),
        sampledValue: [
          { value: '1003.2', unit: 'kWh' },
          { value: '41500', measurand: 'Power.Active.Import', unit: 'W' },
          { value: '105.5', measurand: 'Current.Import', unit: 'A' },
          { value: '56', measurand: 'SoC', unit: 'Percent' },
        ],
      },
    ];
    expect(await call('MeterValues', { connectorId: 1, transactionId, meterValue })).toEqual({});
    expect(await gateway.operation(operation.id)).toMatchObject({
      energy_wh: 3_200,
      power_w: 41_500,
      current_ma: 105_500,
      soc: 56,
      last_sample_at: sampledAt,
    });
    expect(await gateway.samplesOf(transactionId)).toMatchObject([
      { energy_wh: 1_003_200, power_w: 41_500, current_ma: 105_500, soc: 56, context: 'Sample.Periodic' },
    ]);
    expect(gateway.reckoned.at(-1)).toMatchObject({
      energyWh: 3_200,
      price: 15_00,
      energyLimitWh: 20_000,
    });

    const stop = {
      transactionId,
      meterStop: 1_006_000,
      timestamp: new Date().toISOString(),
      idTag: operation.tag,
      reason: 'Remote',
    };
    expect(await call('StopTransaction', stop)).toEqual({ idTagInfo: { status: 'Accepted' } });
    expect(await gateway.transaction(transactionId)).toMatchObject({
      energy_wh: 6_000,
      meter_stop_wh: 1_006_000,
      stop_reason: 'Remote',
      stopped_at: expect.any(Date),
    });
    expect(await gateway.operation(operation.id)).toMatchObject({ energy_wh: 6_000 });
    expect(gateway.ended.at(-1)).toMatchObject({
      operationId: operation.id,
      energyWh: 6_000,
      reason: 'Remote',
      isFromLastReading: false,
      isCorrection: false,
    });
  });

  test('DataTransfer of an unknown vendor is answered as such and stored', async () => {
    const transfer = { vendorId: 'com.vendor', messageId: 'hello', data: 'some text' };
    expect(await call('DataTransfer', transfer)).toEqual({ status: 'UnknownVendorId' });
    expect(await notices()).toEqual([{ kind: 'DataTransfer', payload: transfer }]);
  });

  test('field problem 38: the stream of diagnostics, firmware and security notices is accepted and stored in order', async () => {
    await call('DiagnosticsStatusNotification', { status: 'Uploading' });
    await call('DiagnosticsStatusNotification', { status: 'UploadFailed' });
    await call('FirmwareStatusNotification', { status: 'Downloading' });
    await call('LogStatusNotification', { status: 'Uploaded', requestId: 7 });
    await call('SecurityEventNotification', {
      type: 'ReconfigurationOfSecurityParameters',
      timestamp: '2026-11-15T10:00:00Z',
    });
    expect((await notices()).map(({ kind, payload }) => [kind, payload])).toEqual([
      ['DiagnosticsStatusNotification', { status: 'Uploading' }],
      ['DiagnosticsStatusNotification', { status: 'UploadFailed' }],
      ['FirmwareStatusNotification', { status: 'Downloading' }],
      ['LogStatusNotification', { status: 'Uploaded', requestId: 7 }],
      ['SecurityEventNotification', { type: 'ReconfigurationOfSecurityParameters', timestamp: '2026-11-15T10:00:00Z' }],
    ]);
  });

  test('a burst of readings notifies the page once a second at most, and the last one in the end', async () => {
    const operation = await gateway.addOperation(chargePoint, chargePoint.connectorIds[1] ?? 0);
    const timestamp = ago(3600).toISOString();
    const { transactionId } = await call('StartTransaction', {
      connectorId: 2,
      idTag: operation.tag,
      meterStart: 0,
      timestamp,
    });
    const published: number[] = [];
    const unsubscribe = gateway.outbox.subscribe('operation', (ref) => {
      if (Number(ref) === operation.id) published.push(Date.now());
    });
    for (let n = 1; n <= 20; n += 1) {
      await call('MeterValues', { connectorId: 2, transactionId, meterValue: [reading(ago(3600 - n * 60), n * 10)] });
    }
    await expect.poll(() => published.length, { timeout: 5_000 }).toBe(2);
    unsubscribe();
  });
});

async function notices() {
  return gateway.db
    .selectFrom('charge_point_notices')
    .select(['kind', 'payload'])
    .where('charge_point_id', '=', chargePoint.id)
    .orderBy('id')
    .execute();
}
