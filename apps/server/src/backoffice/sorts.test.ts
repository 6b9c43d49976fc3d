import { adminFeedback } from '@fpay/contract/admin/feedback';
import { lastOperations } from '@fpay/contract/admin/operations';
import { adminUsers } from '@fpay/contract/admin/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { addOperation } from '../testing/operation.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** Lists of staff in other orders than by creation: the server sorts all rows, page by page. */
let server: TestServer;
let staff: Client;
const operations: { id: number; total: number; energy: number; deposit: number }[] = [];
const people: { id: number; name: string; login: number }[] = [];

beforeAll(async () => {
  server = await startTestServer();
  staff = (await server.signedIn('Admin')).client;
  for (let index = 0; index < 24; index++) {
    const user = await server.addUser();
    // Every second one has ended. Sums repeat, so that the id decides too.
    const id = await addOperation(server, user.id, index % 2 === 0 ? 'finished' : 'ongoing');
    const row = { id, total: (index * 7) % 5, energy: (index * 11) % 7, deposit: 30_000 + ((index * 3) % 4) };
    await sql`update operations set total = ${row.total}, energy_wh = ${row.energy}, deposit = ${row.deposit},
      closed_at = case when status = 'finished' then now() end where id = ${id}`.execute(server.db);
    operations.push(row);
    const login = (index * 5) % 6;
    const name = ['Яна', 'єва', 'Інна', 'ірина', 'Ґалина', 'Anna'][index % 6] ?? '';
    await sql`update users set name = ${name}, last_login_at = ${login === 0 ? null : new Date(login * 1000)}
      where id = ${user.id}`.execute(server.db);
    people.push({ id: user.id, name, login });
  }
});
afterAll(() => server.close());

type Row = { id: number };
/** All pages of a list, each continued after the last row of the one before. */
async function allPages<Listed extends Row>(pageAfter: (last: Listed | undefined) => Promise<Listed[]>) {
  const ids: number[] = [];
  for (let last: Listed | undefined; ; ) {
    const page = await pageAfter(last);
    ids.push(...page.map(({ id }) => id));
    last = page.at(-1);
    if (!last || page.length < 7) return ids;
  }
}

const inOrder = <Value extends Row>(
  rows: readonly Value[],
  compare: (one: Value, other: Value) => number,
  sign: number,
) => rows.toSorted((one, other) => sign * (compare(one, other) || one.id - other.id)).map(({ id }) => id);

const operationValues = {
  id: ({ id }) => id,
  total: ({ total }) => total,
  energy: ({ energy }) => energy,
  amount: ({ deposit }) => deposit,
} as const satisfies Record<string, (row: (typeof operations)[number]) => number>;

test.each([...Object.keys(operationValues).flatMap((sort) => [sort, `-${sort}`])] as string[])(
  'operations are sorted by %s over the whole list, open and ended ones together',
  async (sort) => {
    const key = sort.replace('-', '') as keyof typeof operationValues;
    const sign = sort.startsWith('-') ? -1 : 1;
    const value = operationValues[key];
    const pages = (filter: object, isValueSent: boolean) =>
      allPages<{ id: number; total: number; energy: number; amount: number }>(async (last) => {
        const before_value = isValueSent && last && key !== 'id' ? last[key] : null;
        const body = { ...filter, sort, before: last?.id ?? null, before_value };
        return (await staff.call(lastOperations, { params: { count: '7' }, body })).body;
      });
    const expected = inOrder(operations, (one, other) => value(one) - value(other), sign);
    expect(await pages({}, true)).toEqual(expected);
    expect(await pages({}, false)).toEqual(expected);
    expect(await pages({ payment_type: 'bank' }, true)).toEqual(expected);
    const ended = operations.filter((_, index) => index % 2 === 0);
    expect(await pages({ status: 'closed' }, true)).toEqual(
      inOrder(ended, (one, other) => value(one) - value(other), sign),
    );
  },
);

test('the next page begins after the value that the caller saw, although the total has grown since', async () => {
  const call = async (body: object) =>
    (await staff.call(lastOperations, { params: { count: '7' }, body: { sort: 'total', ...body } })).body;
  const first = await call({});
  const last = first.at(-1);
  const all = inOrder(operations, (one, other) => one.total - other.total, 1);
  await sql`update operations set total = 20000 where id = ${last?.id}`.execute(server.db);
  try {
    const next = await call({ before: last?.id ?? null, before_value: last?.total ?? null });
    expect(next.map(({ id }) => id)).toEqual(all.slice(7, 14));
  } finally {
    await sql`update operations set total = ${last?.total} where id = ${last?.id}`.execute(server.db);
  }
});

test('users are sorted by name in the order of the Ukrainian alphabet and by their last sign-in', async () => {
  const pages = (sort: string, filter: object = {}) =>
    allPages<Row>(
      async (last) =>
        (await staff.call(adminUsers, { body: { ...filter, count: 7, sort, before: last?.id ?? null } })).body,
    );
  const known = new Set(people.map(({ id }) => id));
  const listed = async (sort: string, filter?: object) => (await pages(sort, filter)).filter((id) => known.has(id));
  const alphabet = new Intl.Collator('uk');
  for (const [prefix, sign] of [
    ['', 1],
    ['-', -1],
  ] as const) {
    const byName = inOrder(
      people,
      (one, other) => alphabet.compare(one.name.toLowerCase(), other.name.toLowerCase()),
      sign,
    );
    expect(await listed(`${prefix}name`)).toEqual(byName);
    expect(await listed(`${prefix}name`, { with_temp: true, role: 'User' })).toEqual(byName);
    // Somebody who has never signed in comes after all who have.
    expect(await listed(`${prefix}last_login`)).toEqual(inOrder(people, (one, other) => one.login - other.login, sign));
  }
});

test('feedback is sorted by rating, of equal ratings the newest first', async () => {
  const ratings = new Map<number, number>();
  for (const [index, { id }] of operations.entries()) {
    if (index >= 10) break;
    const rating = 1 + ((index * 3) % 5);
    const user = people[index]?.id;
    const { rows } = await sql<Row>`insert into feedback (operation_id, user_id, rating, created_at)
      values (${id}, ${user}, ${rating}, now()) returning id`.execute(server.db);
    ratings.set(rows[0]?.id ?? 0, rating);
  }
  const listed = async (sort: string) =>
    (await staff.call(adminFeedback, { body: { sort } })).body.data.map(({ id }) => id);
  const newest = [...ratings.keys()].toReversed();
  const of = (id: number) => ratings.get(id) ?? 0;
  expect(await listed('rating')).toEqual(newest.toSorted((one, other) => of(one) - of(other)));
  expect(await listed('-rating')).toEqual(newest.toSorted((one, other) => of(other) - of(one)));
  expect(await listed('id')).toEqual(newest.toReversed());
});

test('a sort that a list does not have is refused with those that it has', async () => {
  const refused = { status: 400, body: { code: 'unknown_sort', message: expect.stringContaining('id, -id, ') } };
  expect(await staff.call(lastOperations, { params: { count: '7' }, body: { sort: 'user' } })).toMatchObject(refused);
  expect(await staff.call(adminUsers, { body: { sort: '--name' } })).toMatchObject(refused);
  expect(await staff.call(adminFeedback, { body: { sort: '-total' } })).toMatchObject(refused);
});

test('a reading of an open charge changes no index, although its total can be sorted by', async () => {
  const open = operations[1]?.id ?? 0;
  const counts = sql<{ updated: number; hot: number }>`
    select pg_stat_get_xact_tuples_updated('operations'::regclass)::int as updated,
      pg_stat_get_xact_tuples_hot_updated('operations'::regclass)::int as hot`;
  const [before, after] = await server.db.transaction().execute(async (db) => {
    // What the connection did before may not have been written down yet, and is counted too.
    const { rows: earlier } = await counts.execute(db);
    await sql`update operations set energy_wh = energy_wh + 1, total = total + 1 where id = ${open}`.execute(db);
    return [earlier[0], (await counts.execute(db)).rows[0]];
  });
  await sql`update operations set energy_wh = energy_wh - 1, total = total - 1 where id = ${open}`.execute(server.db);
  expect(after).toEqual({ updated: (before?.updated ?? 0) + 1, hot: (before?.hot ?? 0) + 1 });
});
