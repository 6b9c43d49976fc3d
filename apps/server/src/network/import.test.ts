import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../platform/database.ts';
import { createSteps } from '../platform/step.ts';
import { testDatabase } from '../testing/database.ts';
import { exportNetwork, networkAsCsv } from './export.ts';
import { type NetworkFile, readCsvFile, readJsonFile } from './file.ts';
import { importNetwork } from './import.ts';

const clock = { now: () => new Date('2026-11-15T10:00:00Z') };
const secret = 'a secret of the server, long enough';
let database: Awaited<ReturnType<typeof testDatabase>>;
let opened: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await testDatabase();
  opened = openDatabase({ url: database.appUrl, poolSize: 2 });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});
beforeEach(async () => {
  const { db } = opened;
  for (const table of [
    'links',
    'virtual_station_connectors',
    'connectors',
    'charge_points',
    'stations',
    'tariffs',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
});

function take(file: NetworkFile, isAllOrNothing = false) {
  return importNetwork({ steps: createSteps(opened.db, () => {}), clock, secret }, file, { isAllOrNothing });
}

const connector = (more: object = {}) => ({
  charge_point: 'CP-1',
  connector: 1,
  type: 'ccstype2',
  power: 60_000,
  price: 15_00,
  ...more,
});
const station = (number: string, more: object = {}) => ({
  number,
  address: 'Troitska St, 1, Dnipro',
  address_uk: 'вул. Троїцька, 1, Дніпро',
  lat: 48.462,
  lon: 35.036,
  connectors: [connector({ charge_point: `CP-${number}` })],
  ...more,
});
/** Formatted as a person writes it: one station per line, the first on line 2. */
const json = (...stations: unknown[]) =>
  readJsonFile(`[\n${stations.map((one) => JSON.stringify(one)).join(',\n')}\n]`);

const csvHead = 'number,address,address_uk,lat,lon,charge_point,connector,type,power,price';
const csvRow = (number: string, connectorNumber: number, rest = 'type2,22000,1050') =>
  `${number},"Troitska St, 1","вул. Троїцька, 1",48.462,35.036,CP-${number},${connectorNumber},${rest}`;

async function numbers(): Promise<string[]> {
  const { stations } = await exportNetwork(opened.db);
  return stations.map(({ number, connectors }) => `${number}×${connectors.length}`);
}

describe('importing a network', () => {
  it('writes good rows and reports bad ones by line and reason', async () => {
    const result = await take(
      json(
        station('F1001'),
        station('1002'),
        station('F1003', { lat: 91 }),
        station('F1004', { connectors: [connector({ type: 'schuko' })] }),
        station('F1005', { connectors: [connector({ charge_point: 'CP-F1001' })] }),
        station('F1006', { connectors: [connector({ charge_point: 'CP-6', price: undefined })] }),
        station('F1007', { connectors: [connector({ charge_point: 'CP-7', price: undefined, tariff: 'moon' })] }),
        station('F1008', { party: 77 }),
        station('F1001', { address: 'Elsewhere', connectors: [] }),
        station('F1010'),
        'F1011',
      ),
    );
    expect(result.problems).toEqual([
      { line: 3, reason: 'number: The station number looks like F1234.' },
      { line: 4, reason: expect.stringMatching(/^lat: /) },
      { line: 5, reason: expect.stringMatching(/^connectors\.0\.type: /) },
      { line: 6, reason: 'connector: number 1 of CP-F1001 is already on line 2' },
      { line: 7, reason: 'connectors.0: needs `price` or `tariff`' },
      { line: 8, reason: "tariff: there is no tariff 'moon'" },
      { line: 9, reason: 'party: there is no party 77' },
      { line: 10, reason: 'F1001 differs from line 2' },
      { line: 12, reason: expect.any(String) },
    ]);
    expect(result.written).toBe(2);
    expect(await numbers()).toEqual(['F1001×1', 'F1010×1']);
  });

  it('leaves nothing of a row that fails in the middle', async () => {
    await take(json(station('F1001')));
    // The station and its first connector are valid; the second connector belongs to another station.
    const half = [connector({ charge_point: 'CP-NEW' }), connector({ charge_point: 'CP-F1001' })];
    const result = await take(json(station('F1002', { connectors: half }), station('F1003')));
    expect(result.problems).toEqual([{ line: 2, reason: 'connector: number 1 of CP-F1001 belongs to F1001' }]);
    expect(await numbers()).toEqual(['F1001×1', 'F1003×1']);
    const devices = await opened.db.selectFrom('charge_points').select('identity').orderBy('identity').execute();
    expect(devices.map(({ identity }) => identity)).toEqual(['CP-F1001', 'CP-F1003']);
  });

  it('writes nothing in all-or-nothing mode when anything is wrong', async () => {
    const unreadable = await take(json(station('F1001'), station('1002')), true);
    expect([unreadable.written, unreadable.problems.map(({ line }) => line)]).toEqual([0, [3]]);
    const refused = await take(
      json(station('F1001'), station('F1002', { party: 77 }), station('F1003', { party: 78 })),
      true,
    );
    expect([refused.written, refused.problems.map(({ line }) => line)]).toEqual([0, [3, 4]]);
    expect(await numbers()).toEqual([]);
    expect(await take(json(station('F1001'), station('F1002')), true)).toEqual({ written: 2, problems: [] });
    expect(await numbers()).toEqual(['F1001×1', 'F1002×1']);
  });

  it('the same file twice changes nothing, a changed file changes what it contains', async () => {
    await take(json(station('F1001')));
    const before = await opened.db.selectFrom('connectors').selectAll().execute();
    await take(json(station('F1001')));
    expect(await opened.db.selectFrom('connectors').selectAll().execute()).toEqual(before);
    await take(
      json(
        station('F1001', { address: 'Moved', connectors: [connector({ charge_point: 'CP-F1001', power: 90_000 })] }),
      ),
    );
    const { stations } = await exportNetwork(opened.db);
    expect(stations).toMatchObject([{ number: 'F1001', address: 'Moved', connectors: [{ power: 90_000 }] }]);
  });

  it('reads CSV, a row per connector, and reports which line is wrong', async () => {
    const text = [
      csvHead,
      csvRow('F1001', 1),
      csvRow('F1001', 2, 'chademo,50000,1500'),
      csvRow('F1002', 1, 'type2,lots,1050'),
      csvRow('F1003', 1, 'type2,22000'),
      csvRow('F1004', 1).replace('Troitska', 'Robocha'),
      csvRow('F1004', 2),
      csvRow('F1005', 0),
      '',
    ].join('\r\n');
    const result = await take(readCsvFile(text));
    expect(result.problems).toEqual([
      { line: 4, reason: 'connectors.0.power: must be whole watts' },
      { line: 5, reason: 'has 9 cells instead of 10' },
      { line: 7, reason: 'F1004 differs from line 6' },
      { line: 8, reason: expect.stringMatching(/^connectors\.0\.connector: /) },
    ]);
    expect(await numbers()).toEqual(['F1001×2', 'F1004×1']);
  });

  it.each([
    ['an empty file', readCsvFile(''), 1, 'the file is empty'],
    ['unknown columns', readCsvFile(`${csvHead},colour\n`), 1, 'unknown columns: colour'],
    ['missing columns', readCsvFile('number,address\nF1,x'), 1, 'missing columns: address_uk, lat, lon'],
    ['an open quote', readCsvFile(`${csvHead}\nF1,"x`), 2, 'a quote is never closed'],
    ['broken JSON', readJsonFile('[\n{"number": F1}]'), 2, expect.stringContaining('not valid JSON')],
    ['JSON of another shape', readJsonFile('{"a": 1}'), 1, expect.stringContaining('must be a list of stations')],
    ['null', readJsonFile('null'), 1, expect.stringContaining('must be a list of stations')],
  ])('refuses %s', (_, file, line, reason) => {
    expect(file).toEqual({ tariffs: [], stations: [], problems: [{ line, reason }] });
  });
});

describe('exporting a network', () => {
  const whole = {
    tariffs: [
      {
        name: 'sun',
        price: 16_00,
        hours: [{ weekdays: [6, 7], from: 10, to: 16, price: 8_00 }],
        discount: { from: '10-23', to: '11-15', percent: 15, text: null },
        idle: { fee: 2_00, grace_minutes: 10 },
      },
    ],
    stations: [
      station('F1001', {
        links: ['abc', 'xyz'],
        connectors: [
          connector({ charge_point: 'CP-F1001', has_cable: false }),
          { charge_point: 'CP-F1001', connector: 2, type: 'gbtdc', power: 50_000, has_cable: true, tariff: 'sun' },
        ],
      }),
      station('F1002', { connectors: [connector({ charge_point: 'CP-F1002', has_cable: true, price: 0 })] }),
      station('F1500', {
        virtual: true,
        connectors: [
          { charge_point: 'CP-F1002', connector: 1 },
          { charge_point: 'CP-F1001', connector: 2 },
        ],
      }),
    ],
  };

  it('writes what was imported, tariffs, links and virtual stations too', async () => {
    // Virtual stations come first, because the order in the file does not matter.
    const file = readJsonFile(JSON.stringify({ ...whole, stations: whole.stations.toReversed() }));
    expect(await take(file)).toEqual({ written: 4, problems: [] });
    expect(await exportNetwork(opened.db)).toEqual(whole);
  });

  it('as CSV can be opened in a spreadsheet and imported again', async () => {
    await take(readJsonFile(JSON.stringify(whole)));
    const text = networkAsCsv(await exportNetwork(opened.db));
    expect(text.split('\r\n')[1]).toBe(
      'F1001;Troitska St, 1, Dnipro;вул. Троїцька, 1, Дніпро;48,462;35,036;;;CP-F1001;1;ccstype2;60000;no;1500;;abc',
    );
    expect(await take(readCsvFile(text))).toEqual({ written: 5, problems: [] });
    expect(await exportNetwork(opened.db)).toEqual(whole);
  });
});
