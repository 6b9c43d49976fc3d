import { importStations, previewImport } from '@fpay/contract/admin/network/exchange';
import { networkStation } from '@fpay/contract/admin/network/stations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Files of stations from the screen: a preview, each line's error, and nothing half done. */
let server: TestServer;
let admin: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn('Admin');
});
afterAll(() => server.close());

const head = 'number;address;address_uk;lat;lon;charge_point;connector;type;power;price';
const csv = (...lines: string[]) => ({ format: 'csv' as const, content: [head, ...lines].join('\n') });
const first = 'F1;Street 1;вул. Перша, 1;48,4;35,1;CP-1;1;ccstype2;60000;1450';
const second = 'F2;Street 2;вул. Друга, 2;48,5;35,2;CP-2;1;type2;22000;1190';
const preview = async (body: ReturnType<typeof csv>) => (await admin.client.call(previewImport, { body })).body;
const count = async () =>
  (
    await server.db
      .selectFrom('stations')
      .select((of) => of.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

test('a bad file is refused whole: each wrong line has its reason and nothing is written', async () => {
  const file = csv(
    first,
    'F2;Street 2;вул. Друга, 2;95;35,2;CP-2;1;type2;22000;1190',
    'F3;Street 3;вул. Третя, 3;48,5;35,2;CP-1;1;type2;22000;1190',
    'F4;Street 4;вул. Четверта, 4;48,5;35,2;CP-4;1;plug;22000;',
  );
  const shown = await preview(file);
  expect(shown.problems.map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(shown.problems[0]?.reason).toMatch(/^lat/);
  expect(shown.problems[1]?.reason).toMatch(/already on line 2/);
  const { body } = await admin.client.call(importStations, { body: file });
  expect(body).toMatchObject({ written: 0 });
  expect(body.problems).toHaveLength(3);
  expect(await count()).toBe(0);
  expect(await server.db.selectFrom('charge_points').select('id').execute()).toEqual([]);
  const broken = await preview({ format: 'json' as never, content: '{"stations": [' });
  expect(broken.problems).toHaveLength(1);
});

test.each([
  ['never closed', '['.repeat(100_000)],
  ['closed', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['objects', '{"a":'.repeat(50_000)],
  ['inside a station', `[{"number":${'['.repeat(5_000)}${']'.repeat(5_000)}}]`],
])('a JSON file that is nested too deeply is refused with its line: %s', async (_, content) => {
  const shown = await admin.client.call(previewImport, { body: { format: 'json', content: `\n${content}` } });
  expect(shown).toMatchObject({
    status: 200,
    body: { problems: [{ line: 2, reason: expect.stringMatching(/deep/) }] },
  });
  const written = await admin.client.call(importStations, { body: { format: 'json', content } });
  expect(written).toMatchObject({ status: 200, body: { written: 0 } });
});

test('a preview writes nothing and names what is added, changed and kept; then the import does that', async () => {
  const file = csv(first, second);
  const added = await preview(file);
  expect(added).toEqual({
    problems: [],
    changes: [
      { kind: 'station', name: 'F1', action: 'add', details: [] },
      { kind: 'station', name: 'F2', action: 'add', details: [] },
    ],
  });
  expect(await count()).toBe(0);
  expect((await admin.client.call(importStations, { body: file })).body).toEqual({ written: 2, problems: [] });
  expect((await admin.client.call(networkStation, { params: { number: 'F2' } })).body).toMatchObject({
    address_uk: 'вул. Друга, 2',
    connector_list: [{ charge_point: 'CP-2', price: 11_90 }],
  });

  const changed = await preview(csv(first, second.replace('Street 2', 'Avenue 2').replace('1190', '1290')));
  expect(changed.changes).toEqual([
    { kind: 'station', name: 'F1', action: 'same', details: [] },
    {
      kind: 'station',
      name: 'F2',
      action: 'change',
      details: ['address: Street 2 → Avenue 2', 'CP-2:1 price: 1190 → 1290'],
    },
  ]);
});

test('a problem that only the database knows undoes the whole file', async () => {
  const file = csv(
    'F5;Street 5;вул. П’ята, 5;48,5;35,2;CP-5;1;type2;22000;1190',
    'F6;S;С;48,5;35,2;CP-1;1;type2;22000;1',
  );
  const { body } = await admin.client.call(importStations, { body: file });
  expect(body).toMatchObject({ written: 0, problems: [{ line: 3, reason: expect.stringMatching(/belongs to F1/) }] });
  expect(await count()).toBe(2);
});

test('what is exported can be imported again and changes nothing, and both are on record', async () => {
  for (const format of ['csv', 'json'] as const) {
    const { body, headers } = await admin.client.get(`/api/admin/network/export/${format}`);
    expect(headers.get('content-disposition')).toContain(`fpay-stations.${format}`);
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    const { problems, changes } = await preview({ format: format as never, content });
    expect(problems).toEqual([]);
    expect(changes.map(({ name, action }) => [name, action])).toEqual([
      ['F1', 'same'],
      ['F2', 'same'],
    ]);
  }
  const records = server.db.selectFrom('audit').select(['action', 'after']).where('subject_kind', '=', 'network');
  expect(await records.orderBy('id').execute()).toEqual([
    { action: 'network.import', after: { format: 'csv', written: 2 } },
    { action: 'network.export', after: { format: 'csv' } },
    { action: 'network.export', after: { format: 'json' } },
  ]);
});
