import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ago, answerCalls, eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';

let gateway: GatewayFixture;
let chargePoint: Awaited<ReturnType<GatewayFixture['addChargePoint']>>;

beforeAll(async () => {
  gateway = await startGateway({ timings: { quietMs: 400, settleMs: 20 } });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  chargePoint = await gateway.addChargePoint();
});

interface Behaviour {
  configuration?: { key: string; value: string; readonly?: boolean }[];
  change?: (key: string, value: string) => string;
  trigger?: 'answers' | 'refuses' | 'neverAnswers';
}

/** A device that accepts every call, and a list of the calls it received. */
function behave(
  client: RPCClient,
  { configuration = [], change = () => 'Accepted', trigger = 'answers' }: Behaviour = {},
) {
  const received: string[] = [];
  answerCalls(client, (method, params) => {
    const detail = params.requestedMessage ?? (params.key === undefined ? undefined : `${params.key}=${params.value}`);
    received.push(detail === undefined ? method : `${method} ${detail}`);
    if (method === 'TriggerMessage' && trigger === 'neverAnswers') return new Promise(() => {});
    if (method === 'TriggerMessage') return { status: trigger === 'refuses' ? 'NotImplemented' : 'Accepted' };
    if (method === 'GetConfiguration') {
      return { configurationKey: configuration.map((item) => ({ readonly: false, ...item })), unknownKey: [] };
    }
    if (method === 'ChangeConfiguration') return { status: change(params.key ?? '', params.value ?? '') };
    return { status: 'Accepted' };
  });
  return received;
}

const kept = async () => (await gateway.chargePoint(chargePoint.id)).configuration as Record<string, unknown>;

describe('a device that has just connected', () => {
  test('field problem 8: nothing is sent before its own BootNotification, commands wait for it too', async () => {
    const client = await gateway.connect(chargePoint);
    const received = behave(client);
    const sending = gateway.commands.send({ chargePointId: chargePoint.id, action: 'ClearCache', payload: {} });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(received).toEqual([]);
    await gateway.boot(client);
    expect(await sending).toMatchObject({ status: 'answered' });
  });

  test('field problem 6: it may reconnect without a boot: its messages are accepted at once, then a BootNotification is requested', async () => {
    const first = await gateway.connect(chargePoint);
    behave(first);
    await gateway.boot(first);
    await first.close({ force: true } as never);
    const client = await gateway.connect(chargePoint);
    const received = behave(client);
    const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: ago(60).toISOString() };
    expect(await client.call('StartTransaction', start)).toMatchObject({ transactionId: expect.any(Number) });
    await eventually(() => received.length === 2);
    expect(received).toEqual(['TriggerMessage BootNotification', 'TriggerMessage StatusNotification']);
  });

  test('field problem 24: after each boot the status of its connectors is requested', async () => {
    const client = await gateway.connect(chargePoint);
    const received = behave(client);
    await gateway.boot(client);
    await eventually(() => received.includes('TriggerMessage StatusNotification'));
  });

  test('field problem 7: a device that refuses TriggerMessage, or never answers it, gets commands all the same', async () => {
    const refusing = await gateway.connect(chargePoint);
    const received = behave(refusing, { trigger: 'refuses' });
    await eventually(() => received.includes('TriggerMessage StatusNotification'));
    expect(
      await gateway.commands.send({ chargePointId: chargePoint.id, action: 'ClearCache', payload: {} }),
    ).toMatchObject({
      status: 'answered',
    });
    const silent = await gateway.addChargePoint();
    const client = await gateway.connect(silent);
    const calls = behave(client, { trigger: 'neverAnswers' });
    await eventually(() => calls.includes('TriggerMessage BootNotification'));
    const stop = { chargePointId: silent.id, action: 'RemoteStopTransaction', payload: { transactionId: 1 } } as const;
    expect(await gateway.commands.send(stop)).toMatchObject({ status: 'answered' });
    // A second one was not sent.
    expect(calls).toEqual(['TriggerMessage BootNotification', 'RemoteStopTransaction']);
  });
});

describe('its configuration', () => {
  const configuration = [
    { key: 'MeterValueSampleInterval', value: '60' },
    { key: 'MeterValuesSampledData', value: 'Energy.Active.Import.Register' },
    { key: 'ConnectionTimeOut', value: '45', readonly: true },
    { key: 'LocalPreAuthorize', value: 'true' },
    { key: 'WebSocketPingInterval', value: '30' },
  ];

  test('is read and set only where it differs; measurands fall back step by step; a needed reboot is noted', async () => {
    const client = await gateway.connect(chargePoint);
    const received = behave(client, {
      configuration,
      change: (key, value) => {
        if (key === 'MeterValuesSampledData') return value.includes('SoC') ? 'Rejected' : 'Accepted';
        return key === 'LocalPreAuthorize' ? 'RebootRequired' : 'Accepted';
      },
    });
    await gateway.boot(client);
    await eventually(() => received.includes('TriggerMessage StatusNotification'));
    const register = 'Energy.Active.Import.Register';
    expect(received).toEqual([
      'GetConfiguration',
      'ChangeConfiguration MeterValueSampleInterval=10',
      `ChangeConfiguration MeterValuesSampledData=${register},Power.Active.Import,SoC,Current.Import`,
      `ChangeConfiguration MeterValuesSampledData=${register},Power.Active.Import,SoC`,
      `ChangeConfiguration MeterValuesSampledData=${register},Power.Active.Import`,
      'ChangeConfiguration LocalPreAuthorize=false',
      'TriggerMessage StatusNotification',
    ]);
    expect(await kept()).toMatchObject({
      values: { MeterValueSampleInterval: '10', MeterValuesSampledData: `${register},Power.Active.Import` },
      refused: {},
      needsReboot: ['LocalPreAuthorize'],
    });
  });

  /** Boots with the device's present configuration, and returns the calls it received. */
  async function boot(present: () => Behaviour['configuration'], change?: Behaviour['change'], firmware = '1.0') {
    const client = await gateway.connect(chargePoint);
    const received = behave(client, { configuration: present() ?? [], ...(change && { change }) });
    await gateway.boot(client, firmware);
    await eventually(() => received.includes('TriggerMessage StatusNotification'));
    return received.filter((one) => one.startsWith('ChangeConfiguration'));
  }

  test('field problem 34: is read after every boot and set only where it differs, so a device that keeps it is not configured again', async () => {
    let present = [{ key: 'MeterValueSampleInterval', value: '60' }];
    expect(await boot(() => present)).toEqual(['ChangeConfiguration MeterValueSampleInterval=10']);
    present = [{ key: 'MeterValueSampleInterval', value: '10' }];
    expect(await boot(() => present)).toEqual([]);
    // A factory reset with the same firmware.
    present = [{ key: 'MeterValueSampleInterval', value: '60' }];
    expect(await boot(() => present)).toEqual(['ChangeConfiguration MeterValueSampleInterval=10']);
  });

  test('field problem 34: a value that this firmware refused is not tried again, and the value it accepted instead is enough; another firmware is tried again', async () => {
    const refusing = (key: string, value: string) =>
      key === 'ConnectionTimeOut' ? 'NotSupported' : value === '10' || value === '15' ? 'Rejected' : 'Accepted';
    const present = (seconds: string) => () => [
      { key: 'MeterValueSampleInterval', value: seconds },
      { key: 'ConnectionTimeOut', value: '45' },
    ];
    const first = ['10', '15', '30'].map((value) => `ChangeConfiguration MeterValueSampleInterval=${value}`);
    expect(await boot(present('60'), refusing)).toEqual([...first, 'ChangeConfiguration ConnectionTimeOut=90']);
    expect(await boot(present('30'), refusing)).toEqual([]);
    expect(await boot(present('60'), refusing)).toEqual(['ChangeConfiguration MeterValueSampleInterval=30']);
    expect(await boot(present('60'), refusing, '1.1')).toHaveLength(4);
  });

  test('field problem 34: a device that reboots because of a key, or forgets it, is configured three times an hour and no more; staff see it', async () => {
    const present = () => [{ key: 'MeterValueSampleInterval', value: '60' }];
    for (let times = 0; times < 3; times++) expect(await boot(present)).toHaveLength(1);
    expect(await boot(present)).toEqual([]);
    const rows = await gateway.db
      .selectFrom('charge_point_anomalies')
      .select(['kind', 'subject'])
      .where('charge_point_id', '=', chargePoint.id)
      .execute();
    expect(rows).toEqual([{ kind: 'configurationLost', subject: 'MeterValueSampleInterval' }]);
  });

  test('field problem 26: the device’s own ConnectionTimeOut is known, so that a start which never comes can be given up in time', async () => {
    const client = await gateway.connect(chargePoint);
    const received = behave(client, { configuration });
    await gateway.boot(client);
    await eventually(() => received.includes('TriggerMessage StatusNotification'));
    expect(await kept()).toMatchObject({ values: { ConnectionTimeOut: '45' } });
    const remoteStart = {
      chargePointId: chargePoint.id,
      action: 'RemoteStartTransaction',
      payload: { idTag: 'T', connectorId: 1 },
    } as const;
    expect(await gateway.commands.send(remoteStart)).toMatchObject({
      status: 'answered',
      answer: { status: 'Accepted' },
    });
    expect(await gateway.transactionsOf(chargePoint.id)).toEqual([]);
  });

  test('a device that answers no configuration request still gets the request for its status', async () => {
    const client = await gateway.connect(chargePoint);
    const received: string[] = [];
    answerCalls(client, (method) => {
      received.push(method);
      if (method !== 'TriggerMessage') throw new Error('no');
      return { status: 'Accepted' };
    });
    await gateway.boot(client);
    await eventually(() => received.includes('TriggerMessage'));
    expect(await kept()).toEqual({});
  });
});
