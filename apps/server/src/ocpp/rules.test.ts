import { samplesOf } from '@fpay/ocpp';
import { describe, expect, test } from 'vitest';
import { changesFor } from './connections/configuration.ts';
import { identityOf, passwordOf, protocolOf } from './connections/handshake.ts';
import { believedTime } from './counting/device-time.ts';
import { newCount } from './counting/energy.ts';
import { unknownPower } from './counting/power.ts';
import type { TransactionRow } from './device/transaction-row.ts';
import { applySamples } from './metering/readings.ts';

const now = Date.UTC(2026, 10, 15, 12);
const minute = 60_000;
const hour = 60 * minute;

describe('which clock counts', () => {
  const connectedAt = now - 10 * minute;
  test.each([
    ['a clock that agrees', { deviceAt: now - minute, lostAt: null }, now - minute, false],
    ['a clock a minute ahead', { deviceAt: now + minute, lostAt: null }, now, false],
    ['a clock of 1970', { deviceAt: 5_000, lostAt: null }, now, true],
    ['a clock hours ahead', { deviceAt: now + 3 * hour, lostAt: null }, now, true],
    [
      'a message queued while the line was down',
      { deviceAt: now - 2 * hour, lostAt: now - 3 * hour },
      now - 2 * hour,
      false,
    ],
    ['a time when the device was connected: hours behind', { deviceAt: now - 2 * hour, lostAt: now - hour }, now, true],
    ['a queue from before the first connection', { deviceAt: now - 20 * hour, lostAt: null }, now - 20 * hour, false],
    ['longer ago than any queue', { deviceAt: now - 400 * hour, lostAt: null }, now, true],
  ] as const)('%s', (_name, { deviceAt, lostAt }, at, isSkewed) => {
    expect(believedTime({ deviceAt, receivedAt: now, connectedAt, lostAt })).toEqual({ at, isSkewed });
  });
});

describe('the address of a charge point', () => {
  test.each([
    ['/ocpp/CP1', 'CP1'],
    ['/ocpp/CP1/', 'CP1'],
    ['/ocpp/CP%201%2F%D0%90?x=1', 'CP 1/А'],
    ['/ocpp/', null],
    ['/ocpp', null],
    ['/ocpp/a/b', null],
    ['/ocpp/%E0%A4%A', null],
    ['/ocpp/%00', null],
    [`/ocpp/${'x'.repeat(256)}`, null],
  ])('%s → %s', (url, identity) => expect(identityOf(url)).toBe(identity));

  test('the password is the bytes after the identity and a colon, whatever either contains', () => {
    const header = (user: string, password: Buffer) =>
      `Basic ${Buffer.concat([Buffer.from(`${user}:`), password]).toString('base64')}`;
    const key = Buffer.from([0, 255, 58, 128]);
    expect(passwordOf(header('CP:1', key), 'CP:1')).toEqual(key);
    expect(passwordOf(header('CP2', key), 'CP1')).toBeNull();
    expect(passwordOf('Bearer x', 'CP1')).toBeNull();
    expect(passwordOf(undefined, 'CP1')).toBeNull();
  });

  test.each([
    [undefined, 'ocpp1.6'],
    ['ocpp1.6', 'ocpp1.6'],
    ['ocpp2.0.1, ocpp1.6', 'ocpp1.6'],
    ['OCPP1.6', 'ocpp1.6'],
    ['ocpp2.0.1', null],
    ['ocpp1.5', null],
  ])('sub-protocol %s is handled as %s', (header, protocol) => {
    const request = { headers: { 'sec-websocket-protocol': header } } as never;
    expect(protocolOf(request, ['ocpp1.6'])).toBe(protocol);
  });
});

describe('the configuration of a device', () => {
  const key = (name: string, value: string, readonly = false) => ({ key: name, value, readonly });

  test('only what differs, is known and can be written', () => {
    const keys = [
      key('MeterValueSampleInterval', '60'),
      key('ClockAlignedDataInterval', '0'),
      key('AuthorizeRemoteTxRequests', 'True', true),
      key('LocalPreAuthorize', 'FALSE'),
      key('heartbeatinterval', '300'),
    ];
    expect(changesFor(keys)).toEqual([
      { key: 'heartbeatinterval', values: ['120'] },
      { key: 'MeterValueSampleInterval', values: ['10', '15', '30'] },
    ]);
  });

  test('no more measurands than the device accepts', () => {
    const keys = [key('MeterValuesSampledData', ''), key('MeterValuesSampledDataMaxLength', '2', true)];
    expect(changesFor(keys)).toEqual([
      {
        key: 'MeterValuesSampledData',
        values: ['Energy.Active.Import.Register,Power.Active.Import', 'Energy.Active.Import.Register'],
      },
    ]);
  });

  test('the same list in another order is the same list', () => {
    const list = 'SoC, Current.Import,Energy.Active.Import.Register,Power.Active.Import';
    expect(changesFor([key('MeterValuesSampledData', list)])).toEqual([]);
  });
});

describe('units that cannot be right', () => {
  const startedAt = now - hour;
  const transaction = (meterStartWh: number, ratedW = 60_000): TransactionRow => ({
    id: 1,
    chargePointId: 1,
    connectorId: 1,
    ocppConnector: 1,
    operationId: 1,
    terms: null,
    idTag: 'TAG',
    meterStartWh,
    startedAt: new Date(startedAt),
    deviceStartedAt: startedAt,
    stoppedAt: null,
    isEstimated: false,
    continuedBy: null,
    ratedW,
    count: newCount(meterStartWh, startedAt, startedAt),
    unit: null,
    power: unknownPower,
    expectedWh: 0,
  });

  /** Samples every ten seconds as [register text, unit?, watts?]. */
  function feed(from: TransactionRow, values: { value: string; unit?: string; watts?: number }[], everyMs = 10_000) {
    return values.reduce<{ transaction: TransactionRow; oddities: string[] }>(
      (so, { value, unit, watts }, index) => {
        const at = startedAt + (index + 1) * everyMs;
        const sampledValue = [
          { value, ...(unit ? { unit } : {}) },
          ...(watts === undefined ? [] : [{ value: String(watts), measurand: 'Power.Active.Import' }]),
        ];
        const meterValue = [{ timestamp: new Date(at).toISOString(), sampledValue }] as never;
        const applied = applySamples(so.transaction, samplesOf(meterValue).samples, at);
        return { transaction: applied.transaction, oddities: [...so.oddities, ...applied.oddities] };
      },
      { transaction: from, oddities: [] },
    );
  }

  test('a register in kWh without a unit, against a meterStart in Wh', () => {
    const { transaction: after, oddities } = feed(transaction(1_234_567), [
      { value: '1234.700' },
      { value: '1234.867' },
    ]);
    expect([after.count.energyWh, after.unit, oddities]).toEqual([300, 'kWh', ['wrongUnit']]);
  });

  test('a register in Wh labelled kWh', () => {
    const values = [
      { value: '1234700', unit: 'kWh' },
      { value: '1234867', unit: 'kWh' },
    ];
    const { transaction: after, oddities } = feed(transaction(1_234_567), values);
    expect([after.count.energyWh, after.unit, oddities]).toEqual([300, 'Wh', ['wrongUnit']]);
  });

  test('a register in kWh since the start, labelled Wh, is recognised by power over time', () => {
    const values = Array.from({ length: 30 }, (_, n) => ({
      value: ((n + 1) / 6).toFixed(3),
      unit: 'Wh',
      watts: 60_000,
    }));
    const { transaction: after, oddities } = feed(transaction(0), values);
    expect([after.count.energyWh, after.unit, oddities]).toEqual([5_000, 'kWh', ['wrongUnit']]);
  });

  test('right units are not changed, for slow charges too', () => {
    const slow = Array.from({ length: 60 }, (_, n) => ({ value: String(1_000_000 + n * 4), unit: 'Wh', watts: 1_440 }));
    const fast = Array.from({ length: 60 }, (_, n) => ({ value: String(n * 160), unit: 'Wh', watts: 57_600 }));
    expect(feed(transaction(1_000_000), slow)).toMatchObject({
      transaction: { unit: null, count: { energyWh: 236 } },
      oddities: [],
    });
    expect(feed(transaction(0), fast)).toMatchObject({
      transaction: { unit: null, count: { energyWh: 9_440 } },
      oddities: [],
    });
  });

  test('a device without a register sends what flowed since the previous sample', () => {
    const interval = (at: number, value: string) =>
      [
        {
          timestamp: new Date(at).toISOString(),
          sampledValue: [{ value, measurand: 'Energy.Active.Import.Interval', unit: 'Wh' }],
        },
      ] as never;
    const first = interval(startedAt + minute, '800');
    const second = interval(startedAt + 2 * minute, '700');
    let { transaction: after } = applySamples(transaction(0), samplesOf(first).samples, startedAt + minute);
    ({ transaction: after } = applySamples(after, samplesOf(second).samples, startedAt + 2 * minute));
    // A repeat counts once.
    ({ transaction: after } = applySamples(after, samplesOf(second).samples, startedAt + 3 * minute));
    expect(after.count.energyWh).toBe(1_500);
  });
});
