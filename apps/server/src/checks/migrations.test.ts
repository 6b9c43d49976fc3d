import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationFolder, schemaFolder } from '../platform/migrate.ts';
import { checksumOfAll, functionsIn, readSchemaFiles } from '../platform/schema-files.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { faultsOfComments, faultsOfMigration } from '../testing/migration-rules.ts';

/** Rules of new migrations, of the files of functions, and of what both make. */
interface SqlFile {
  name: string;
  sql: string;
}

const filesIn = (folder: URL): SqlFile[] =>
  globSync('*.sql', { cwd: fileURLToPath(folder) })
    .toSorted()
    .map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }));
const migrations = filesIn(migrationFolder);
const numberOf = ({ name }: SqlFile) => Number(name.slice(0, 4));
/** Released migrations are not edited, so the rules are for those that follow. */
const lastWithoutRules = 56;
const newOnes = migrations.filter((file) => numberOf(file) > lastWithoutRules);
const schema = filesIn(schemaFolder);

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('a new migration keeps the rules', () => {
  expect(newOnes.flatMap(({ name, sql }) => faultsOfMigration(sql).map((fault) => `${name} ${fault}`))).toEqual([]);
});

test('a number belongs to one migration', () => {
  const numbers = newOnes.map(numberOf);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test('the comments of functions use the words of the field', () => {
  expect(schema.flatMap(({ name, sql }) => faultsOfComments(sql).map((fault) => `${name}: ${fault}`))).toEqual([]);
});

test('the newest migration that names the functions names those of the folder', async () => {
  const named = migrations.flatMap(({ sql }) => /^-- Schema: (\w+)$/m.exec(sql)?.[1] ?? []).at(-1);
  const present = checksumOfAll(await readSchemaFiles(schemaFolder));
  expect(named, `a change of apps/server/schema needs a migration with the line "-- Schema: ${present}"`).toBe(present);
});

test('the database has the functions of the folder, each once, and no others', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  const inFiles = schema.flatMap(({ sql }) => functionsIn(sql));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(inFiles.toSorted());
});

/** Foreign keys of migrations before the rule. The list may only become shorter. */
const withoutIndex = [
  'charge_point_anomalies.charge_point_anomalies_ocpp_transaction_id_fkey',
  'commands.commands_requested_by_fkey',
  'commissionings.commissionings_staff_id_fkey',
  'free_alerts.free_alerts_connector_id_fkey',
  'money_anomalies.money_anomalies_payment_id_fkey',
  'ocpp_transactions.ocpp_transactions_connector_id_fkey',
  'ocpp_transactions.ocpp_transactions_continued_by_fkey',
  'operations.operations_car_id_fkey',
  'operations.operations_charge_point_id_fkey',
  'payments.payments_wallet_id_fkey',
  'promotion_authors.promotion_authors_user_id_fkey',
  'promotions.promotions_station_id_fkey',
  'refunds.refunds_staff_id_fkey',
  'staff_approvals.staff_approvals_decided_by_fkey',
  'staff_approvals.staff_approvals_requested_by_fkey',
  'staff_money_out.staff_money_out_approval_id_fkey',
  'support_notes.support_notes_staff_id_fkey',
  'users.users_active_car_id_fkey',
];

test('a foreign key has an index, so that its parent can be changed and listed without reading the whole table', async () => {
  const { rows } = await client.query<{ name: string }>(`
    select c.conrelid::regclass || '.' || c.conname as name from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
      and not exists (select from pg_index i where i.indrelid = c.conrelid
        and (select array_agg(k order by k) from unnest(c.conkey) k)
          = (select array_agg(k order by k) from unnest((i.indkey::int2[])[0:cardinality(c.conkey) - 1]) k))`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(withoutIndex);
});

test.each([
  ['create index a on operations (id)', 'locks operations'],
  ['create unique index a on only public.transfers (id)', 'locks transfers'],
  ['create index if not exists a on meter_samples_y2026m01 (id)', 'locks meter_samples_y2026m01'],
  ['alter table users alter column name type varchar', 'locks users'],
  ['alter table payments add column a uuid not null default gen_random_uuid()', 'locks payments'],
  ['alter table ocpp_transactions add column a bigint generated always as (id) stored', 'locks ocpp_transactions'],
  ['create function a() returns void as $$ select 1 $$', 'has a function or a view'],
  ['create view a as select 1', 'has a function or a view'],
  ['do $$ begin if true then create index a on operations (id); end if; end $$', 'locks operations'],
  ['-- Whoever reads this.\nselect 1', '"Whoever" in'],
])('the reader of migrations refuses %j', (statement, fault) => {
  expect(faultsOfMigration(`-- A sentence.\n${statement};`)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  'create index concurrently a on operations (id)',
  'create index a on feedback (id)',
  'create table users (id bigint); create index a on users (id)',
  'alter table operations add column a timestamptz not null default now()',
  '-- Locks operations: The index is partial, and no row is in it yet.\ncreate index a on operations (id)',
  'create function pg_temp.a() returns void as $$ select 1 $$',
])('the reader of migrations accepts %j', (statement) => {
  expect(faultsOfMigration(`-- A sentence.\n${statement};`)).toEqual([]);
});

test('the reader of migrations wants a sentence on top', () => {
  expect(faultsOfMigration('select 1;')).toEqual(['has no sentence on top']);
});
