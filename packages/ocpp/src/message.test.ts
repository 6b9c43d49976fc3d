import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OcppFault } from './codes.ts';
import { type Message, read } from './message.ts';
import * as v16 from './v16/index.ts';

const receivedAt = Date.UTC(2026, 10, 15, 10);
const receipt = new Date(receivedAt).toISOString();
const timestamp = '2026-11-15T09:59:58Z';
const start = { connectorId: 1, idTag: 'ABC', meterStart: 1000, timestamp };
const stop = { transactionId: 5, meterStop: 2000, timestamp };
const boot = { chargePointVendor: 'V', chargePointModel: 'M' };
const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' };

describe('a message of the standard', () => {
  it('is read unchanged, without a repair', () => {
    const payload = { ...stop, transactionData: [{ timestamp, sampledValue: [{ value: '1', unit: 'kWh' }] }] };
    const result = read(v16.StopTransaction.request, payload, receivedAt);
    expect(result).toEqual({ value: payload, repairs: [], failure: null });
    expect(result.value).toBe(payload);
  });
});

describe('an error of a charge point is repaired and the message kept:', () => {
  const cases: [what: string, message: Message, came: object, read: object, repairs: string[]][] = [
    [
      'a serial number too long',
      v16.BootNotification,
      { ...boot, chargePointSerialNumber: 'S'.repeat(30) },
      { ...boot, chargePointSerialNumber: 'S'.repeat(25) },
      ['chargePointSerialNumber: longer than 25, cut'],
    ],
    [
      'a serial number as a number, an empty model',
      v16.BootNotification,
      { chargePointVendor: 'V', chargePointModel: '', meterSerialNumber: 77 },
      { chargePointVendor: 'V', chargePointModel: '', meterSerialNumber: '77' },
      ['meterSerialNumber: a number, taken as text'],
    ],
    [
      'letters of two units are not torn',
      v16.BootNotification,
      { ...boot, chargePointModel: '🔌'.repeat(25) },
      { ...boot, chargePointModel: '🔌'.repeat(20) },
      ['chargePointModel: longer than 20, cut'],
    ],
    [
      'characters that no database keeps',
      v16.BootNotification,
      { ...boot, chargePointModel: 'M\0\uD800' },
      { ...boot, chargePointModel: 'M\uFFFD\uFFFD' },
      ['chargePointModel: unprintable characters replaced'],
    ],
    ['an unknown field', v16.Heartbeat, { uptime: 5 }, {}, ['unknown field "uptime" left out']],
    [
      'a null where a field should be left out',
      v16.StatusNotification,
      { ...status, info: null },
      status,
      ['info: null, taken as left out'],
    ],
    [
      'an unknown status',
      v16.StatusNotification,
      { ...status, status: 'Sleeping' },
      { ...status, status: 'Unknown' },
      ['status: "Sleeping" taken as Unknown'],
    ],
    [
      'the status Error',
      v16.StatusNotification,
      { ...status, status: 'Error', errorCode: 'E42' },
      { ...status, status: 'Faulted', errorCode: 'OtherError' },
      ['status: "Error" taken as Faulted', 'errorCode: "E42" taken as OtherError'],
    ],
    [
      'words in another case and no error code',
      v16.StatusNotification,
      { connectorId: '1', status: 'AVAILABLE' },
      { ...status, errorCode: 'OtherError' },
      ['connectorId: text, taken as a number', 'status: "AVAILABLE" taken as Available', 'errorCode: missing'],
    ],
    [
      'info too long',
      v16.StatusNotification,
      { ...status, info: 'i'.repeat(60) },
      { ...status, info: 'i'.repeat(50) },
      ['info: longer than 50, cut'],
    ],
    [
      'a start without a time',
      v16.StartTransaction,
      { connectorId: 1, idTag: 'ABC', meterStart: 1000 },
      { ...start, timestamp: receipt },
      ['timestamp: missing, the time of receipt taken'],
    ],
    [
      'a start with an empty time',
      v16.StartTransaction,
      { ...start, timestamp: '' },
      { ...start, timestamp: receipt },
      ['timestamp: "" is no time, the time of receipt taken'],
    ],
    [
      'a start of 1970 keeps its time, which is doubted',
      v16.StartTransaction,
      { ...start, timestamp: '1970-01-01T00:00:10Z' },
      { ...start, timestamp: '1970-01-01T00:00:10.000Z' },
      ['timestamp: "1970-01-01T00:00:10Z": the clock was not set'],
    ],
    [
      'a time without a zone',
      v16.StartTransaction,
      { ...start, timestamp: '2026-11-15T09:59:58' },
      { ...start, timestamp: '2026-11-15T09:59:58.000Z' },
      ['timestamp: "2026-11-15T09:59:58": no zone, taken as UTC'],
    ],
    [
      'a start with a fraction on the meter',
      v16.StartTransaction,
      { ...start, meterStart: 1000.4 },
      start,
      ['meterStart: 1000.4 rounded'],
    ],
    [
      'a start with a negative meter',
      v16.StartTransaction,
      { ...start, meterStart: -3_000 },
      { ...start, meterStart: -3_000 },
      [],
    ],
    [
      'a start that says where but not who',
      v16.StartTransaction,
      { connectorId: 1 },
      { connectorId: 1, idTag: null, meterStart: null, timestamp: receipt },
      ['idTag: missing', 'meterStart: missing', 'timestamp: missing, the time of receipt taken'],
    ],
    [
      'a stop with the id 0',
      v16.StopTransaction,
      { ...stop, transactionId: 0 },
      { ...stop, transactionId: null },
      ['transactionId is 0, out of range'],
    ],
    [
      'a stop with the id -1 and no meter',
      v16.StopTransaction,
      { transactionId: -1, meterStop: -1, timestamp, idTag: 'ABC' },
      { transactionId: null, meterStop: -1, timestamp, idTag: 'ABC' },
      ['transactionId is -1, out of range'],
    ],
    [
      'a stop for a reason of its own',
      v16.StopTransaction,
      { ...stop, reason: 'Cosmic' },
      { ...stop, reason: 'Other' },
      ['reason: "Cosmic" taken as Other'],
    ],
    [
      'a stop whose data is rubbish',
      v16.StopTransaction,
      { ...stop, transactionData: 'none' },
      stop,
      ['transactionData is "none", not a list'],
    ],
    [
      'a meter value without anything',
      v16.MeterValues,
      {},
      { connectorId: null, meterValue: [] },
      ['connectorId: missing', 'meterValue: missing'],
    ],
    [
      'a meter value with an empty transaction id',
      v16.MeterValues,
      { connectorId: 1, transactionId: '', meterValue: [{ timestamp, sampledValue: [] }] },
      { connectorId: 1, meterValue: [{ timestamp, sampledValue: [] }] },
      ['transactionId is "", not a number'],
    ],
    [
      'a meter value with the transaction id -1',
      v16.MeterValues,
      { connectorId: 1, transactionId: -1, meterValue: [] },
      { connectorId: 1, meterValue: [] },
      ['transactionId is -1, out of range'],
    ],
    [
      'numbers where text should be, an unknown unit, no time',
      v16.MeterValues,
      { connectorId: 1, meterValue: [{ sampledValue: [{ value: 50.1, unit: 'Hertz', measurand: 'Frequency' }] }] },
      {
        connectorId: 1,
        meterValue: [
          { timestamp: receipt, sampledValue: [{ value: '50.1', unit: 'Unknown', measurand: 'Frequency' }] },
        ],
      },
      [
        'meterValue[0].timestamp: missing, the time of receipt taken',
        'meterValue[0].sampledValue[0].value: a number, taken as text',
        'meterValue[0].sampledValue[0].unit: "Hertz" taken as Unknown',
      ],
    ],
    [
      'a single value instead of a list, a value that is missing, one that is empty',
      v16.MeterValues,
      { connectorId: 1, meterValue: { timestamp, sampledValue: [{}, { value: '' }, { value: '7' }] } },
      { connectorId: 1, meterValue: [{ timestamp, sampledValue: [{ value: '7' }] }] },
      [
        'meterValue: a single item, taken as a list',
        'meterValue[0].sampledValue[0].value is missing',
        'meterValue[0].sampledValue[1].value is empty',
      ],
    ],
    [
      'no sampled value at all',
      v16.MeterValues,
      { connectorId: 1, meterValue: [{ timestamp }] },
      { connectorId: 1, meterValue: [{ timestamp, sampledValue: [] }] },
      ['meterValue[0].sampledValue: missing'],
    ],
    [
      'an object as the data of a vendor',
      v16.DataTransfer,
      { vendorId: 'v', data: { a: 1 } },
      { vendorId: 'v', data: '{"a":1}' },
      ['data: not text, kept as JSON'],
    ],
  ];
  it.each(cases)('%s', (_, message, came, value, repairs) => {
    expect(read(message.request, came, receivedAt)).toEqual({ value, repairs, failure: null });
  });

  it('a configuration whose values are not text', () => {
    const came = { configurationKey: [{ key: 'A', readonly: 'false', value: 60 }, { key: 'B', value: true }, 7] };
    expect(read(v16.GetConfiguration.response, came, receivedAt).value).toEqual({
      configurationKey: [
        { key: 'A', readonly: false, value: '60' },
        { key: 'B', readonly: false, value: 'true' },
      ],
    });
  });

  it('is omitted when it is nested deeper than any stack', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(read(v16.DataTransfer.request, { vendorId: 'v', data: deep }, receivedAt).value).toEqual({ vendorId: 'v' });
    expect(read(v16.MeterValues.request, { connectorId: 1, meterValue: deep }, receivedAt).value).toEqual({
      connectorId: 1,
      meterValue: [],
    });
  });

  it('thousands of errors are accepted with a few notes', () => {
    const came = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, index]));
    expect(read(v16.MeterValues.request, came, receivedAt).repairs).toHaveLength(20);
  });
});

describe('what cannot be repaired is refused with the right code:', () => {
  const cases: [what: string, message: Message, came: unknown, fault: OcppFault, description: string][] = [
    ['no vendor', v16.BootNotification, { chargePointModel: 'M' }, 'occurrence', 'chargePointVendor is missing'],
    [
      'a null model',
      v16.BootNotification,
      { ...boot, chargePointModel: null },
      'occurrence',
      'chargePointModel is missing',
    ],
    [
      'a vendor that is a list',
      v16.BootNotification,
      { ...boot, chargePointVendor: [] },
      'type',
      'chargePointVendor is a list, not text',
    ],
    ['no connector', v16.StatusNotification, { status: 'Available' }, 'occurrence', 'connectorId is missing'],
    [
      'a negative connector',
      v16.StatusNotification,
      { ...status, connectorId: -3 },
      'property',
      'connectorId is -3, out of range',
    ],
    ['a status that is a number', v16.StatusNotification, { ...status, status: 3 }, 'type', 'status is 3, not a word'],
    ['no tag', v16.Authorize, {}, 'occurrence', 'idTag is missing'],
    ['an object for a tag', v16.Authorize, { idTag: {} }, 'type', 'idTag is an object, not text'],
    ['a payload that is a list', v16.MeterValues, [], 'formation', 'is a list, not an object'],
    ['a payload that is text', v16.StartTransaction, 'start', 'formation', 'is "start", not an object'],
    [
      'a start that says neither where nor who',
      v16.StartTransaction,
      { meterStart: 5 },
      'occurrence',
      'has none of connectorId, idTag',
    ],
    [
      'a stop that names nothing',
      v16.StopTransaction,
      { timestamp },
      'occurrence',
      'has none of transactionId, meterStop, idTag, transactionData',
    ],
    ['an unknown type of reset', v16.Reset, { type: 'Medium' }, 'property', 'type is "Medium", an unknown word'],
  ];
  it.each(cases)('%s', (_, message, came, fault, description) => {
    expect(read(message.request, came, receivedAt).failure).toEqual({ fault, description });
  });
});

const messages = Object.values(v16);

describe('arbitrary JSON', () => {
  const keys = messages.flatMap(({ request, response }) =>
    [request, response].flatMap(({ json }) => Object.keys(json.properties as object)),
  );
  const payload = fc.oneof(
    fc.jsonValue(),
    // The right names with wrong values reach more code than random names.
    fc.dictionary(
      fc.constantFrom(...keys, 'timestamp', 'sampledValue', 'value', '__proto__'),
      fc.jsonValue({ maxDepth: 4 }),
    ),
  );

  it.each(messages.map((message) => [message.action, message] as const))(
    'is read or refused without an exception: %s',
    (_, message) => {
      fc.assert(
        fc.property(payload, (came) => {
          for (const schema of [message.request, message.response]) {
            const { value, failure } = read(schema, came, receivedAt);
            expect(value === null).toBe(failure !== null);
            if (failure !== null) expect(['formation', 'occurrence', 'type', 'property']).toContain(failure.fault);
          }
        }),
      );
    },
  );

  it('that is an object is accepted as a MeterValues', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('connectorId', 'transactionId', 'meterValue', 'x'), fc.jsonValue()),
        (came) => {
          expect(read(v16.MeterValues.request, came, receivedAt).failure).toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });
});
