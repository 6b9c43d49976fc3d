import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type DatabaseHandle, openDatabase } from '../database.ts';
import { bigints, byteStrings, integers } from './binary-array.ts';

let database: TestDatabase;
let handle: DatabaseHandle;
beforeAll(async () => {
  database = await testDatabase();
  handle = openDatabase({ url: database.appUrl, poolSize: 1 });
});
afterAll(async () => {
  await handle.close();
  await database.drop();
});

const same = (value: number | null) => value;

test('the database reads the numbers that were written', async () => {
  const whole = [0, 1, -1, null, 2 ** 31 - 1, -(2 ** 31 - 1)];
  const large = [...whole, 2 ** 31, 2 ** 32, -(2 ** 32) - 1, 1_794_744_869_971, Number.MAX_SAFE_INTEGER, null];
  const { rows } = await sql<object>`select ${integers(whole, same)}::int[] as whole,
    array(select value::text from unnest(${bigints(large, same)}::bigint[]) with ordinality as v (value, at) order by at) as large,
    ${bigints([], same)}::bigint[] as nothing`.execute(handle.db);
  expect(rows).toEqual([{ whole, large: large.map((value) => (value === null ? null : String(value))), nothing: [] }]);
});

test('the database reads the bytes that were written', async () => {
  const written = [Buffer.from([0, 0xff, 0x0a]), Buffer.alloc(0), Buffer.alloc(9_000, 7)];
  const { rows } = await sql<{ value: Buffer }>`select value from unnest(${byteStrings(written, (one) => one)}::bytea[])
    with ordinality as v (value, at) order by at`.execute(handle.db);
  expect(rows.map(({ value }) => value)).toEqual(written);
});

test('a number that does not fit is refused, not truncated', () => {
  for (const value of [2 ** 31, 0.5, Number.NaN]) expect(() => integers([value], same)).toThrow(RangeError);
  for (const value of [2 ** 53, -0.5, Number.POSITIVE_INFINITY])
    expect(() => bigints([value], same)).toThrow(RangeError);
});
