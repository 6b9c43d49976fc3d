import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateProduct } from '../app/schema.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { schemaFolder } from './migrate.ts';

let database: TestDatabase;
let owner: pg.Client;
let folder: string;
beforeEach(async () => {
  database = await testDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  folder = mkdtempSync(join(tmpdir(), 'fpay-schema-'));
  cpSync(fileURLToPath(schemaFolder), folder, { recursive: true });
});
afterEach(async () => {
  await owner.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A node whose functions are those of the folder; returns what it has applied. */
async function start(): Promise<string[]> {
  const applied: string[] = [];
  await migrateProduct({
    url: database.ownerUrl,
    schema: pathToFileURL(`${folder}/`),
    onApply: (name) => applied.push(name),
  });
  return applied;
}

function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

/** What the database has under a name: arguments, result, body, owner, and who may execute it. */
async function found(name: string) {
  const { rows } = await owner.query(
    `select pg_get_function_identity_arguments(oid) as arguments, pg_get_function_result(oid) as result, prosrc as body,
       pg_get_userbyid(proowner) as owner, has_function_privilege('fpay_app', oid, 'execute') as app,
       exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) a where a.grantee = 0) as everyone
     from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    [name],
  );
  return rows;
}

test('a file is applied again when it has changed, and only then', async () => {
  expect(await start()).toEqual([]);
  edit('feedback.sql', 'where id = new.operation_id', 'where id = new.operation_id and true');
  expect(await start()).toEqual(['schema/feedback.sql']);
  expect((await found('set_feedback_station'))[0].body).toContain('and true');
  expect(await start()).toEqual([]);
});

test('nodes that start at once apply a changed file once', async () => {
  edit('feedback.sql', 'where id = new.operation_id', 'where id = new.operation_id and true');
  const applied = await Promise.all([start(), start(), start()]);
  expect(applied.flat()).toEqual(['schema/feedback.sql']);
});

test('a function keeps its owner and its rights, also when its signature changes', async () => {
  const [before] = await found('drop_expired_message_day');
  expect(before).toMatchObject({ owner: 'fpay_owner', app: true, everyone: false });
  edit(
    'platform-partitions.sql',
    'drop_expired_message_day(kept interval)',
    'drop_expired_message_day(kept interval, twice boolean)',
  );
  edit('platform-partitions.sql', 'drop_expired_message_day(interval)', 'drop_expired_message_day(interval, boolean)');
  await start();
  // A second function beside the first one would be called by nodes that do not know the other.
  const after = { ...before, arguments: 'kept interval, twice boolean' };
  expect(await found('drop_expired_message_day')).toEqual([after]);
  edit('platform-partitions.sql', 'ensure_message_days() returns integer', 'ensure_message_days() returns bigint');
  await start();
  const same = { owner: 'fpay_owner', app: true, everyone: false };
  expect(await found('ensure_message_days')).toEqual([expect.objectContaining({ ...same, result: 'bigint' })]);
});

test('a function that fails leaves all functions as they were', async () => {
  const before = await found('set_feedback_station');
  edit('feedback.sql', 'where id = new.operation_id', 'where id = new.operation_id and true');
  edit('wallet.sql', 'returns bigint[]', 'returns no_such_type');
  await expect(start()).rejects.toThrow(/no_such_type/);
  expect(await found('set_feedback_station')).toEqual(before);
  edit('wallet.sql', 'returns no_such_type', 'returns bigint[]');
  expect(await start()).toEqual(['schema/feedback.sql']);
});

test('a function that a trigger needs is not dropped for another signature', async () => {
  edit(
    'party.sql',
    'begin_party_stay() returns trigger language plpgsql',
    'begin_party_stay() returns integer language plpgsql',
  );
  await expect(start()).rejects.toThrow(/other objects depend on it/);
  expect(await found('begin_party_stay')).toMatchObject([{ result: 'trigger' }]);
});

test('a node of an earlier version is refused and does not put an earlier function back', async () => {
  await owner.query(`insert into migrations (name, checksum) values ('9999-later.sql', 'x')`);
  const before = await found('set_feedback_station');
  edit('feedback.sql', 'where id = new.operation_id', 'where id = new.operation_id and true');
  await expect(start()).rejects.toThrow(/it is newer/);
  expect(await found('set_feedback_station')).toEqual(before);
});

test('a migration is followed by all functions, because it may have dropped what they need', async () => {
  await owner.query(`delete from migrations where name = '0065-schema-files.sql'; drop table schema_files;
    drop function set_feedback_station cascade`);
  const applied = await start();
  expect(applied[0]).toBe('0065-schema-files.sql');
  expect(applied).toContain('schema/feedback.sql');
  expect(await found('set_feedback_station')).toHaveLength(1);
});
