import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '../platform/generated/database.ts';
import type { UserTable } from '../platform/user-tables.ts';
import { addOperation } from '../testing/operation.ts';
import { startTestServer } from '../testing/server.ts';
import { tableOwners } from '../testing/tables/owners.ts';
import type { TableName } from '../testing/tables/read-model.ts';
import { functionOwners } from '../testing/tables/routines.ts';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface UserColumn {
  table: TableName;
  column: string;
}

/** Columns that name a user: by their foreign key, or by their name where rows outlive users. */
async function userColumns(): Promise<UserColumn[]> {
  const { rows } = await sql<UserColumn>`
    select distinct c.relname as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.confrelid = 'users'::regclass
      and a.attnum = any(k.conkey)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (k.oid is not null or a.attname in ('user_id', 'owner_id', 'staff_id', 'sender_id', 'recipient_id'))
    order by 1, 2`.execute(server.db);
  return rows;
}

const answers = () => server.features.accounts.userTables;
const answerOf = (table: TableName): UserTable | undefined =>
  answers()
    .map((tables) => tables[table as keyof DB])
    .find((answer) => answer !== undefined);

test('every table that names a user has an answer for a merge and for a deletion', async () => {
  const columns = await userColumns();
  expect(columns.length).toBeGreaterThan(15);
  expect(columns.filter(({ table }) => answerOf(table) === undefined)).toEqual([]);
  const named = new Set(columns.map(({ table }) => table));
  expect(
    answers()
      .flatMap((tables) => Object.keys(tables))
      .filter((table) => !named.has(table as TableName)),
  ).toEqual([]);
});

test('every function that the product may call to write has an owner', async () => {
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
      and has_function_privilege(oid, 'execute') order by 1`.execute(server.db);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ name }) => !(name in functionOwners))).toEqual([]);
});

test('a table is answered for once, and rows that are kept have a reason', () => {
  const all = answers().flatMap((tables) => Object.entries(tables));
  expect(all.map(([table]) => table).toSorted()).toEqual([...new Set(all.map(([table]) => table))].toSorted());
  const kept = all
    .flatMap(([, answer]) => [answer.onUserMerged, answer.onUserDeleted])
    .filter((one) => typeof one === 'string');
  for (const reason of kept) expect(reason).toMatch(/^kept: \w.{15,}/);
  for (const [table] of all) expect(tableOwners).toHaveProperty(table);
});

/** Rows that still name the user, of tables whose answer is a function. */
async function leftOf(user: number, event: keyof UserTable): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of await userColumns()) {
    if (typeof answerOf(table)?.[event] !== 'function') continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${user}`.execute(server.db);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

/** A user with a row in every table of drivers. */
async function addTraces(user: number, hasOwnCards: boolean): Promise<void> {
  const { db } = server;
  const now = new Date();
  const operation_id = await addOperation(server, user, 'finished');
  const of = { user_id: user, created_at: now };
  await db
    .insertInto('cars')
    .values({ ...of, name: 'A car' })
    .execute();
  await db
    .insertInto('feedback')
    .values({ ...of, operation_id, rating: 5, comment: 'Good' })
    .execute();
  await db
    .insertInto('payments')
    .values({
      ...of,
      purpose: 'operation',
      method: 'bank',
      operation_id,
      amount: 1,
      status: 'reversed',
      closed_at: now,
      description: 'A charge',
    })
    .execute();
  await db
    .insertInto('return_tokens')
    .values({ user_id: user, token_hash: randomBytes(32), expires_at: now })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      ...of,
      token_hash: randomBytes(32),
      csrf_token: 'x',
      ip: '::1',
      user_agent: '',
      last_seen_at: now,
      expires_at: now,
    })
    .execute();
  if (!hasOwnCards) return;
  const { station_id } = await db
    .selectFrom('operations')
    .select('station_id')
    .where('id', '=', operation_id)
    .executeTakeFirstOrThrow();
  const party = await db
    .insertInto('parties')
    .values({ name: 'A party', owner_id: await server.features.accounts.users.addGuest(), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('party_members').values({ party_id: party.id, user_id: user, joined_at: now }).execute();
  await db
    .insertInto('rfid_cards')
    .values({ ...of, id_tag: randomBytes(8).toString('hex') })
    .execute();
  await db
    .insertInto('rfid_requests')
    .values({ ...of, station_id, expires_at: now })
    .execute();
  await db
    .insertInto('trusted_devices')
    .values({ user_id: user, token_hash: randomBytes(32), expires_at: now })
    .execute();
}

test('a merge leaves no row of the guest behind that was to move or to go', async () => {
  const guest = await server.features.accounts.users.addGuest();
  const { id } = await server.addUser();
  await addTraces(guest, false);
  const staff = await server.addUser('Admin');
  const waiting = {
    kind: 'increase' as const,
    subject_kind: 'user',
    subject_id: guest,
    worth: 1,
    recipient_id: guest,
    requested_by: staff.id,
    request_key: 'of a guest',
  };
  await server.db
    .insertInto('staff_approvals')
    .values({ ...waiting, created_at: new Date() })
    .execute();
  await server.steps.run((step) => server.features.accounts.guests.join(step, guest, id));
  // The empty wallet of the guest stays with its row.
  expect(await leftOf(guest, 'onUserMerged')).toEqual(['wallets']);
  const { rows } = await sql<{ operations: number; payments: number; feedback: number; cars: number }>`
    select (select count(*)::int from operations where user_id = ${id}) as operations,
      (select count(*)::int from payments where user_id = ${id}) as payments,
      (select count(*)::int from feedback where user_id = ${id}) as feedback,
      (select count(*)::int from cars where user_id = ${id}) as cars`.execute(server.db);
  expect(rows).toEqual([{ operations: 1, payments: 1, feedback: 1, cars: 1 }]);
});

test('a deletion leaves only rows without what identifies the person', async () => {
  const { id } = await server.addUser();
  await addTraces(id, true);
  await server.features.accounts.leaving.leave(id);
  // The line about the deletion itself, a car without a name, and a rating without a comment stay.
  expect(await leftOf(id, 'onUserDeleted')).toEqual(['cars', 'feedback', 'user_log']);
  const { rows } = await sql<{ name: string; comment: string | null; lines: number }>`
    select c.name, f.comment, (select count(*)::int from user_log where user_id = ${id}) as lines
    from cars c join feedback f on f.user_id = c.user_id where c.user_id = ${id}`.execute(server.db);
  expect(rows).toEqual([{ name: '—', comment: null, lines: 1 }]);
});
