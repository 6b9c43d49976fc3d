import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tablesDocument } from './testing/tables/document.ts';
import { readModels, tableOwners } from './testing/tables/owners.ts';
import {
  filesThatHideTables,
  foreignCalls,
  hidesTable,
  isForeign,
  type TableUse,
  tableUses,
  tableUsesOf,
} from './testing/tables/uses.ts';

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
  const written = readFileSync(new URL('../../../docs/tables.md', import.meta.url), 'utf8');
  expect(written, 'npm run tables').toBe(tablesDocument());
});
