import { expect, test } from 'vitest';
import { claimsIn, coverage, readRequirements, table } from './coverage.ts';

const rows = readRequirements(`
| id | requirement | package |
|---|---|---|
| MAP-01 | / and /map both show the map home | 05 |
| ADM-OP-02 | Filter popup | 01 |
| ADM-OP-03 | Lookup | 01 |
`);

test('rows are read with their area and package', () => {
  expect(rows.map(({ id, area, workPackage }) => `${id} ${area} ${workPackage}`)).toEqual([
    'MAP-01 MAP 05',
    'ADM-OP-02 ADM-OP 01',
    'ADM-OP-03 ADM-OP 01',
  ]);
});

test('claims are read from the titles of tests in every notation', () => {
  const source = [
    `test('shows the map [MAP-01]', () => {});`,
    'it("filters [ADM-OP-02] [ADM-OP-03]", async () => {});',
    'test(`in one word [MAP-01]`, () => {});',
    "test.each([['a', 1], ['b', 2]])(\n  'each %s [ADM-OP-02]',\n  () => {});",
    "test.each`a | b`('tagged [MAP-01]', () => {});",
    `// not a test [MAP-01]`,
    `const text = 'nor this [ADM-OP-03]';`,
  ].join('\n');
  expect(claimsIn('a.test.ts', source).map(({ ids }) => ids.join())).toEqual(
    expect.arrayContaining(['MAP-01', 'ADM-OP-02,ADM-OP-03', 'MAP-01', 'ADM-OP-02', 'MAP-01']),
  );
  expect(claimsIn('a.test.ts', source).some(({ title }) => title.includes('nor this'))).toBe(false);
});

test('every row must be proven; unknown ids and too many ids are reported', () => {
  const claims = [
    { file: 'a.test.ts', title: 'x', ids: ['ADM-OP-02', 'NO-01'], isStubbed: false },
    { file: 'b.test.ts', title: 'much', ids: ['A-01', 'A-02', 'A-03', 'A-04', 'A-05', 'A-06'], isStubbed: false },
  ];
  const { problems, byArea, missing } = coverage(rows, claims);
  expect(problems).toContain('no test names ADM-OP-03 Lookup');
  expect(problems).toContain('a.test.ts names NO-01, which is no requirement');
  expect(problems.some((problem) => problem.startsWith('b.test.ts: more than 5 ids'))).toBe(true);
  expect(missing.map(({ id }) => id)).toEqual(['MAP-01', 'ADM-OP-03']);
  expect(table(byArea)).toMatch(/ADM-OP {10}1 {11}1 {5}2/);
});

test('a row is only stubbed when each of its tests answers the call of the page by itself', () => {
  const page = (title: string, body: string) => `it('${title}', async () => {${body}});`;
  const pages = claimsIn(
    'apps/web/src/a.test.tsx',
    [
      page('reads [MAP-01]', "await openMap({ 'GET /api/map': [] });"),
      page('sends [ADM-OP-02]', "await open({ 'POST /api/x': {} });"),
      page('shows [ADM-OP-03]', 'expect(1).toBe(1);'),
    ].join('\n'),
  );
  const server = claimsIn('apps/server/src/a.test.ts', `test('stores it [ADM-OP-02]', () => call('POST /api/x'));`);
  expect(coverage(rows, [...pages, ...server]).stubbed.map(({ id, files }) => [id, files])).toEqual([
    ['MAP-01', ['apps/web/src/a.test.tsx']],
  ]);
});
