import { describe, expect, it } from 'vitest';
import type { OcppFault } from './codes.ts';
import { type Message, read } from './message.ts';
import type { JsonSchema } from './schema.ts';
import * as v16 from './v16/index.ts';

/**
 * For every field of every message that a charge point sends, and for every defect of it, this table gives the one
 * expected outcome: the fault code of the refusal, or the value that is read. The table is written by hand from the
 * standard and the tolerance that we want.
 */
const receivedAt = Date.UTC(2026, 10, 15, 10);
const receipt = new Date(receivedAt).toISOString();
const timestamp = '2026-11-15T09:59:58Z';

/** `at`: the path where the outcome is visible, when that is not the field itself. */
type Outcome = { fault: OcppFault } | { read: unknown; at?: string };
interface Defect {
  what: string;
  value: unknown;
  outcome: Outcome;
}

const absent = Symbol('absent');
const refused = (fault: OcppFault): Outcome => ({ fault });
const as = (value: unknown): Outcome => ({ read: value });
const leftOut = as(absent);
const long = 'x'.repeat(5_000);

const defects = (outcomes: {
  missing: Outcome;
  list: Outcome;
  others: readonly [what: string, value: unknown, outcome: Outcome][];
}): Defect[] => [
  { what: 'missing', value: absent, outcome: outcomes.missing },
  { what: 'null', value: null, outcome: outcomes.missing },
  { what: 'a list', value: [[1]], outcome: outcomes.list },
  ...outcomes.others.map(([what, value, outcome]) => ({ what, value, outcome })),
];

const text = (max: number): Defect[] =>
  defects({
    missing: refused('occurrence'),
    list: refused('type'),
    others: [
      ['an object', {}, refused('type')],
      ['a number', 7, as('7')],
      ['too long', long, as(long.slice(0, max))],
      ['unprintable', 'a\0\uD800', as('a\uFFFD\uFFFD')],
    ],
  });
const optionalText = (max: number): Defect[] =>
  defects({
    missing: leftOut,
    list: leftOut,
    others: [
      ['an object', {}, leftOut],
      ['a number', 7, as('7')],
      ['too long', long, as(long.slice(0, max))],
      ['unprintable', 'a\0\uD800', as('a\uFFFD\uFFFD')],
    ],
  });
const badNumbers = (outcome: Outcome, lowest: number): Defect[] =>
  defects({
    missing: outcome,
    list: outcome,
    others: [
      ['a word', 'one', outcome],
      ['true', true, outcome],
      ['too small', lowest - 1, outcome],
      ['too large', 1e308, outcome],
      ['text', String(lowest + 5), as(lowest + 5)],
      ['a fraction', lowest + 5.4, as(lowest + 5)],
    ],
  });
const number = (lowest: number): Defect[] =>
  badNumbers(refused('type'), lowest).map((defect) => {
    if (defect.value === absent || defect.value === null) return { ...defect, outcome: refused('occurrence') };
    return defect.what.startsWith('too') ? { ...defect, outcome: refused('property') } : defect;
  });
/** Numbers of connectors and transactions: a fraction is not rounded. */
const whole = (of: Defect[]): Defect[] => {
  const outcome = of.find(({ what }) => what === 'a word')?.outcome ?? refused('type');
  return of.map((defect) => (defect.what === 'a fraction' ? { ...defect, outcome } : defect));
};
const numberOrNull = (lowest: number): Defect[] => badNumbers(as(null), lowest);
const optionalNumber = (lowest: number): Defect[] => badNumbers(leftOut, lowest);
/** A message is never refused because of its time; an invalid time is replaced by the time of receipt. */
const time = (missing: Outcome = as(receipt)): Defect[] =>
  defects({
    missing,
    list: as(receipt),
    others: [
      ['true', true, as(receipt)],
      ['a word', 'yesterday', as(receipt)],
      ['a day that is none', '9999-99-99T99:99:99Z', as(receipt)],
      ['without a zone', '2026-11-15T09:59:58', as('2026-11-15T09:59:58.000Z')],
      ['of a clock that was never set', '1970-01-01T00:00:10Z', as('1970-01-01T00:00:10.000Z')],
      ['too long', long, as(receipt)],
    ],
  });
const word = (unknown: Outcome, missing: Outcome, list: Outcome): Defect[] =>
  defects({
    missing,
    list,
    others: [
      ['a number', 3, list],
      ['an unknown word', 'Cosmic', unknown],
      ['too long', long, unknown],
    ],
  });
const needed = (unknown: string) => word(as(unknown), refused('occurrence'), refused('type'));
const optionalWord = (unknown: Outcome) => word(unknown, leftOut, leftOut);
const tag = (instead: Outcome, ofList: Outcome = instead): Defect[] =>
  defects({
    missing: instead,
    list: ofList,
    others: [
      ['an object', {}, ofList],
      ['a number', 7, as('7')],
      ['too long', long, as(long.slice(0, 20).toUpperCase())],
      ['unprintable', 'A\0B\uDC00', as('A\uFFFDB\uFFFD')],
    ],
  });
const emptyList = (instead: Outcome, ofObject: Outcome): Defect[] => [
  { what: 'missing', value: absent, outcome: instead },
  { what: 'null', value: null, outcome: instead },
  { what: 'text', value: 'none', outcome: instead },
  { what: 'a number', value: 5, outcome: instead },
  { what: 'an object of something else', value: { a: 1 }, outcome: ofObject },
];

/** A sampled value without a value is omitted; the rest of the message is kept. */
const noValues = [absent, null, [1], {}, true, ''].map((value) => ({
  what: value === absent ? 'missing' : JSON.stringify(value),
  value,
}));

const sample = (list: string): Record<string, Defect[]> => ({
  [`${list}[].timestamp`]: time(),
  [`${list}[].sampledValue`]: emptyList(as([]), as([])),
  [`${list}[].sampledValue[].value`]: noValues.map((defect) => ({
    ...defect,
    outcome: { read: [], at: `${list}[].sampledValue` },
  })),
  [`${list}[].sampledValue[].context`]: optionalWord(as('Other')),
  [`${list}[].sampledValue[].format`]: optionalWord(leftOut),
  // A value of an unknown measurand must not count as energy, nor as the total of all phases.
  [`${list}[].sampledValue[].measurand`]: optionalWord(as('Unknown')),
  [`${list}[].sampledValue[].phase`]: optionalWord(as('Unknown')),
  [`${list}[].sampledValue[].location`]: optionalWord(leftOut),
  [`${list}[].sampledValue[].unit`]: optionalWord(as('Unknown')),
});
const meterValue = [
  {
    timestamp,
    sampledValue: [
      { value: '5', context: 'Trigger', format: 'Raw', measurand: 'SoC', phase: 'L1', location: 'EV', unit: 'Wh' },
    ],
  },
];

const table: readonly [message: Message, good: Record<string, unknown>, fields: Record<string, Defect[]>][] = [
  [
    v16.BootNotification,
    {
      chargePointVendor: 'V',
      chargePointModel: 'M',
      chargePointSerialNumber: 'S',
      chargeBoxSerialNumber: 'B',
      firmwareVersion: '1',
      iccid: 'i',
      imsi: 'i',
      meterType: 't',
      meterSerialNumber: 's',
    },
    {
      chargePointVendor: text(20),
      chargePointModel: text(20),
      chargePointSerialNumber: optionalText(25),
      chargeBoxSerialNumber: optionalText(25),
      firmwareVersion: optionalText(50),
      iccid: optionalText(20),
      imsi: optionalText(20),
      meterType: optionalText(25),
      meterSerialNumber: optionalText(25),
    },
  ],
  [v16.Heartbeat, {}, {}],
  [
    v16.StatusNotification,
    {
      connectorId: 1,
      status: 'Available',
      errorCode: 'NoError',
      info: 'i',
      timestamp,
      vendorId: 'v',
      vendorErrorCode: 'e',
    },
    {
      connectorId: whole(number(0)),
      status: needed('Unknown'),
      errorCode: word(as('OtherError'), as('OtherError'), as('OtherError')),
      info: optionalText(50),
      timestamp: time(leftOut),
      vendorId: optionalText(255),
      vendorErrorCode: optionalText(50),
    },
  ],
  [v16.Authorize, { idTag: 'TAG' }, { idTag: tag(refused('occurrence'), refused('type')) }],
  [
    v16.StartTransaction,
    { connectorId: 1, idTag: 'TAG', meterStart: 100, timestamp, reservationId: 1 },
    {
      connectorId: whole(numberOrNull(1)),
      idTag: tag(as(null)),
      meterStart: numberOrNull(-1_000_000_000_000),
      timestamp: time(),
      reservationId: optionalNumber(-2_147_483_647),
    },
  ],
  [
    v16.MeterValues,
    { connectorId: 1, transactionId: 1, meterValue },
    {
      connectorId: whole(numberOrNull(0)),
      transactionId: whole(optionalNumber(1)),
      meterValue: emptyList(as([]), as([{ timestamp: receipt, sampledValue: [] }])),
      ...sample('meterValue'),
    },
  ],
  [
    v16.StopTransaction,
    { transactionId: 1, meterStop: 200, timestamp, idTag: 'TAG', reason: 'Local', transactionData: meterValue },
    {
      transactionId: whole(numberOrNull(1)),
      meterStop: numberOrNull(-1_000_000_000_000),
      timestamp: time(),
      idTag: tag(leftOut),
      reason: optionalWord(as('Other')),
      transactionData: emptyList(leftOut, as([{ timestamp: receipt, sampledValue: [] }])),
      ...sample('transactionData'),
    },
  ],
  [
    v16.DataTransfer,
    { vendorId: 'v', messageId: 'm', data: 'd' },
    {
      vendorId: text(255),
      messageId: optionalText(50),
      // Free text of any length. Some vendors send JSON in it without quoting.
      data: defects({
        missing: leftOut,
        list: as('[[1]]'),
        others: [
          ['a number', 7, as('7')],
          ['an object', { a: 1 }, as('{"a":1}')],
        ],
      }),
    },
  ],
  [v16.DiagnosticsStatusNotification, { status: 'Idle' }, { status: needed('Unknown') }],
  [v16.FirmwareStatusNotification, { status: 'Idle' }, { status: needed('Unknown') }],
  [
    v16.LogStatusNotification,
    { status: 'Idle', requestId: 1 },
    { status: needed('Unknown'), requestId: optionalNumber(-2_147_483_647) },
  ],
  [
    v16.SecurityEventNotification,
    { type: 'T', timestamp, techInfo: 'x' },
    { type: text(50), timestamp: time(), techInfo: optionalText(255) },
  ],
];

it('covers every field of every message that a charge point may send', () => {
  const inbound = Object.values(v16).filter(({ sentBy }) => sentBy !== 'centralSystem');
  expect(table.map(([{ action }]) => action).sort()).toEqual(inbound.map(({ action }) => action).sort());
  for (const [{ action, request }, , fields] of table) {
    expect([action, Object.keys(fields).sort()]).toEqual([action, pathsOf(request.json).sort()]);
  }
});

describe.each(table.map(([message, good, fields]) => ({ action: message.action, message, good, fields })))(
  '$action',
  ({ message, good, fields }) => {
    it('is read unchanged when nothing is wrong with it', () => {
      expect(read(message.request, good, receivedAt)).toEqual({ value: good, repairs: [], failure: null });
    });

    const cases = Object.entries(fields).flatMap(([path, all]) => all.map((defect) => ({ path, ...defect })));
    it.each(cases)('$path: $what', ({ path, value, outcome }) => {
      const { value: result, repairs, failure } = read(message.request, put(good, path, value), receivedAt);
      if ('fault' in outcome) {
        expect(failure).toEqual({ fault: outcome.fault, description: expect.stringContaining(path) });
        return;
      }
      expect(failure).toBeNull();
      expect(result).toEqual(put(good, outcome.at ?? path, outcome.read));
      // Every repair is reported; an omitted optional field is no repair.
      const isSilent = value === absent && outcome.read === absent;
      expect(repairs.length > 0).toBe(!isSilent);
    });
  },
);

/** Names of all fields, including those in lists: `meterValue[].timestamp`. */
function pathsOf(schema: JsonSchema, at = ''): string[] {
  const items = schema.items as JsonSchema | undefined;
  if (items) return pathsOf(items, `${at}[]`);
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...pathsOf(field, path)];
  });
}

/** Returns a copy with this value at the path, or without the path. */
function put(payload: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(payload) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = copy;
  for (const name of names) at = (at[name.replace('[]', '')] as Record<string, unknown>[])[0] as typeof at;
  if (value === absent) delete at[last];
  else at[last] = value;
  return copy;
}
