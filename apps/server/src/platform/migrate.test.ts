import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrateProduct } from '../app/schema.ts';
import { asAdmin, createDatabase, type TestDatabase, testDatabase, urlFor } from '../testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('two nodes that start at once on an empty database apply each migration once', async () => {
  const server = inject('testServer');
  const name = 'fpay_test_migration_race';
  await createDatabase(server, name, 'template0');
  const url = urlFor(server.ownerUrl, name);
  try {
    const applied: string[] = [];
    await Promise.all([1, 2, 3].map(() => migrateProduct({ url, onApply: (name) => applied.push(name) })));
    expect(new Set(applied).size).toBe(applied.length);
    const rows = await ask<{ name: string }>(url, 'select name from migrations order by name');
    expect(rows.map(({ name }) => name)).toEqual(applied.filter((name) => !name.startsWith('schema/')));
  } finally {
    await asAdmin(server, (admin) => admin.query(`drop database if exists ${name} with (force)`));
  }
});

test('a database of a newer version is refused', async () => {
  await ask(database.ownerUrl, `insert into migrations (name, checksum) values ('9999-future.sql', 'x')`);
  await expect(migrateProduct({ url: database.ownerUrl })).rejects.toThrow(/it is newer/);
  await ask(database.ownerUrl, `delete from migrations where name = '9999-future.sql'`);
});

test('a migration that was changed after it had been applied stops the start with a clear message', async () => {
  await ask(database.ownerUrl, `update migrations set checksum = 'other' where name = '0001-platform.sql'`);
  await expect(migrateProduct({ url: database.ownerUrl })).rejects.toThrow(/0001-platform.sql was changed/);
});

test("the product's role owns nothing and cannot change what is append-only", async () => {
  await ask(
    database.ownerUrl,
    `insert into audit (action, subject_kind, subject_id, created_at) values ('test', 'user', '1', now())`,
  );
  await expect(ask(database.appUrl, 'delete from audit')).rejects.toThrow(/permission denied/);
  await expect(ask(database.appUrl, 'create table mine (id int)')).rejects.toThrow(/permission denied/);
  await expect(ask(database.ownerUrl, 'delete from audit')).rejects.toThrow(/append-only/);
});

/** Every table with money or its history, and what the product's role may do with its rows. */
test.each([
  ['accounts', 'select'],
  ['transfers', 'select'],
  ['audit', 'select insert'],
  ['bank_exchanges', 'select insert'],
  ['payments', 'select insert update'],
  ['refunds', 'select insert update'],
  ['operation_log', 'select insert update'],
  ['user_log', 'select insert update'],
  ['ledger_checks', 'select insert update'],
])("the product's role may do with %s: %s, and nothing else", async (table, allowed) => {
  const rights = ['select', 'insert', 'update', 'delete', 'truncate'];
  const rows = await ask<{ name: string }>(
    database.appUrl,
    `select name from unnest(array['${rights.join("','")}']) as name
     where has_table_privilege(current_user, '${table}', name)`,
  );
  expect(rows.map(({ name }) => name)).toEqual(allowed.split(' '));
  if (!allowed.includes('delete')) {
    await expect(ask(database.appUrl, `delete from ${table}`)).rejects.toThrow(/permission denied/);
  }
});

test("the log of a user is deleted only with the account, and only a guest is removed, even by the owner's functions", async () => {
  const [user] = await ask<{ id: string }>(
    database.ownerUrl,
    `insert into users (name, phone_number, created_at) values ('A', '+380670000000', now()) returning id`,
  );
  await expect(ask(database.appUrl, `select forget_user_log(${user?.id})`)).rejects.toThrow(/is not deleted/);
  await expect(ask(database.appUrl, `select discard_user(${user?.id})`)).rejects.toThrow(/is no guest/);
});
