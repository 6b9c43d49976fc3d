import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asAdmin, createDatabase, type TestDatabase, testDatabase, urlFor } from './database.ts';
import { useExternalServer } from './external-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it("each test file's database is migrated and used by no other file", async () => {
  const other = await testDatabase();
  await query(database.ownerUrl, 'CREATE TABLE mine ()');
  const question = "SELECT to_regclass('migrations') IS NOT NULL AS migrated, to_regclass('mine') IS NOT NULL AS mine";
  expect(await query(database.appUrl, question)).toEqual([{ migrated: true, mine: true }]);
  expect(await query(other.appUrl, question)).toEqual([{ migrated: true, mine: false }]);
  await other.drop();
  await expect(query(other.appUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
});

it('the product has no more rights in it than in production', async () => {
  await expect(query(database.appUrl, 'CREATE TABLE mine_too ()')).rejects.toThrow(/permission denied/);
  await expect(query(database.appUrl, 'SET ROLE fpay_owner')).rejects.toThrow(/permission denied/);
});

it('tests also run on a given server whose account is no superuser, and leave nothing there', async () => {
  const server = inject('testServer');
  const url = new URL(server.adminUrl);
  url.username = `guest_${Date.now()}`;
  url.password = 'guest';
  const guest = url.username;
  await asAdmin(server, (admin) =>
    admin.query(`
      CREATE ROLE ${guest} LOGIN CREATEDB CREATEROLE PASSWORD 'guest';
      GRANT CONNECT ON DATABASE postgres TO ${guest};
      GRANT fpay_app TO ${guest} WITH ADMIN OPTION`),
  );
  const rolesBefore = await query(server.adminUrl, 'SELECT rolname FROM pg_roles ORDER BY rolname');

  const { removeRoles, ...roles } = await useExternalServer(url.href);
  const name = `fpay_test_${guest}`;
  await createDatabase(roles, name, 'template0');
  await query(urlFor(roles.ownerUrl, name), 'CREATE TABLE stations (); GRANT SELECT ON stations TO fpay_app');
  expect(await query(urlFor(roles.appUrl, name), 'SELECT * FROM stations')).toEqual([]);
  await asAdmin(roles, (admin) => admin.query(`DROP DATABASE ${name}`));
  await removeRoles();

  expect(await query(server.adminUrl, 'SELECT rolname FROM pg_roles ORDER BY rolname')).toEqual(rolesBefore);
  await asAdmin(server, (admin) => admin.query(`DROP OWNED BY ${guest}; DROP ROLE ${guest}`));
});
