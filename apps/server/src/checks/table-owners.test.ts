import { readFileSync } from 'node:fs';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { type Catalog, ownerOfFunction, readCatalog } from '../testing/tables/catalog.ts';
import { tablesDocument } from '../testing/tables/document.ts';
import { readModels, tableOwners } from '../testing/tables/owners.ts';
import { foreignFunctionWrites, functionOwners, triggerOwners } from '../testing/tables/routines.ts';
import {
  filesThatHideTables,
  foreignCalls,
  hidesTable,
  isForeign,
  type TableUse,
  tableUses,
  tableUsesOf,
} from '../testing/tables/uses.ts';

let catalog: Catalog;
beforeAll(async () => {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  catalog = await readCatalog(client);
  await client.end();
  await database.drop();
});

const uses = tableUses();
const show = ({ file, table, isWrite }: TableUse) => `${file} ${isWrite ? 'writes' : 'reads'} ${table}`;
const isListed = ({ file, table }: TableUse) => readModels[file]?.reads.includes(table) ?? false;

test('only its owner writes a table', () => {
  const wrong = uses.filter((use) => use.isWrite && isForeign(use)).map(show);
  expect(wrong).toEqual([]);
});

test('only read models read the tables of other features', () => {
  const wrong = uses.filter((use) => !use.isWrite && isForeign(use) && !isListed(use)).map(show);
  expect(wrong).toEqual([]);
});

test('a read model is listed only with tables that it reads', () => {
  const read = new Set(uses.filter((use) => !use.isWrite && isForeign(use)).map(show));
  const listed = Object.entries(readModels).flatMap(([file, { reads }]) =>
    reads.map((table) => show({ file, table, isWrite: false })),
  );
  expect(listed.filter((text) => !read.has(text))).toEqual([]);
});

test('every table has a source that uses it', () => {
  const used = new Set(uses.map(({ table }) => table));
  // Written and read only by functions of the database.
  const inside: string[] = [];
  expect(
    Object.keys(tableOwners)
      .filter((table) => !used.has(table as TableUse['table']))
      .toSorted(),
  ).toEqual(inside);
});

test('only its owner calls a function of the database', () => {
  expect(foreignCalls()).toEqual([]);
});

test('every trigger and every function of the database has its owner and its reason, and no other is listed', () => {
  expect(catalog.triggers.map(({ name }) => name)).toEqual(Object.keys(triggerOwners).toSorted());
  expect(catalog.functions.map(({ name }) => name)).toEqual(Object.keys(functionOwners).toSorted());
  const owners = new Set<string>(Object.values(tableOwners));
  const listed = Object.entries({ ...triggerOwners, ...functionOwners });
  expect(listed.filter(([, { owner, why }]) => !owners.has(owner) || !/^[A-Z].*\.$/.test(why))).toEqual([]);
});

test('a trigger and a function write tables of their owner only', () => {
  const foreign = catalog.functions.flatMap(({ name, writes }) =>
    writes.filter((table) => tableOwners[table] !== ownerOfFunction(name)).map((table) => `${name} ${table}`),
  );
  expect(foreign).toEqual(Object.keys(foreignFunctionWrites));
  const ofTriggers = catalog.functions.filter(({ isTrigger }) => isTrigger).map(({ name }) => name);
  expect(foreign.filter((text) => ofTriggers.includes(text.split(' ')[0] ?? ''))).toEqual([]);
});

test("the triggers of staff's figures write down which hours changed, and nothing else", () => {
  const written = catalog.functions
    .filter(({ name, isTrigger }) => isTrigger && ownerOfFunction(name) === 'backoffice')
    .map(({ name, writes }) => [name, ...writes]);
  expect(written).toEqual([
    ['note_earnings_stats_change', 'stats_changes'],
    ['note_feedback_stats_change', 'stats_changes'],
    ['note_stats_change', 'stats_changes'],
    ['note_user_stats_change', 'stats_changes'],
  ]);
});

test('every table is named where it is used', () => {
  expect(filesThatHideTables()).toEqual([]);
});

const read = (source: string) =>
  tableUsesOf(source).map(({ table, isWrite }) => `${isWrite ? 'write' : 'read'} ${table}`);

test.each([
  ["db.updateTable('users').set({})", ['write users']],
  ["db\n  .insertInto(\n    'cars')", ['write cars']],
  ["db.deleteFrom('sessions')", ['write sessions']],
  ["db.selectFrom('users as u').innerJoin('cars as c', 'c.user_id', 'u.id')", ['read users', 'read cars']],
  ["db.selectFrom(['users', 'cars'])", ['read users', 'read cars']],
  ["db.selectFrom('reported')", []],
  ['sql`insert into outbox (topic) select 1`', ['write outbox']],
  ['sql`UPDATE users u SET name = 1 FROM wallets w`', ['write users', 'read wallets']],
  ['sql`delete from only cars`', ['write cars']],
  ['sql`select from users u, cars as c, reported where true`', ['read users', 'read cars']],
  ['sql`select from reported join operations o on true for no key update of o`', ['read operations']],
  ['sql`insert into notices values (1) on conflict do update set user_id = 2`', ['write notices']],
  ['// reads from users\n/** update users */ const users = 1;', []],
] as const)('the reader of sources understands %j', (source, expected) => {
  expect(read(source)).toEqual(expected);
});

test.each(['db.deleteFrom(table)', 'sql.table(name)'])('the reader refuses %j', (source) => {
  expect(hidesTable(source)).toBe(true);
});

test('docs/tables.md is made from the map', () => {
  const written = readFileSync(new URL('../../../../docs/tables.md', import.meta.url), 'utf8');
  expect(written, 'npm run tables').toBe(tablesDocument(catalog));
});
