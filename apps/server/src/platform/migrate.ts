import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { DB } from './generated/database.ts';
import type { QueueOptions } from './jobs/job-queue.ts';
import { prepareJobSchema } from './jobs/job-schema.ts';
import { PrimaryClient } from './primary.ts';
import { applySchemaFiles, checksumOf, readSchemaFiles } from './schema-files.ts';

export const migrationFolder = new URL('../../migrations/', import.meta.url);
export const schemaFolder = new URL('../../schema/', import.meta.url);

/** Any number works as long as every node uses the same one. */
const advisoryLock = 3_80_441;

/** The product's role reads and writes rows and owns nothing, so it cannot lift the rules that the owner set. */
const appRole = 'fpay_app';

/** What the product's role may not do to tables. */
export interface TableRules {
  /** The product may only insert into them; triggers enforce the same for every other role. */
  appendOnly: readonly (keyof DB)[];
  /** Their rows change but are never deleted. */
  neverDeleted: readonly (keyof DB)[];
  /** The product reads them and writes only through the owner's functions. */
  writtenByFunctions: readonly (keyof DB)[];
}

export interface MigrateOptions {
  /** A connection of the schema's owner, not of the product's role. */
  url: string;
  queues: Readonly<Record<string, QueueOptions>>;
  rules: TableRules;
  onApply?: (migration: string) => void;
  /** Another folder of functions and views, for tests. */
  schema?: URL;
}

/**
 * Brings the schema up to date: migrations, then functions and views. Several nodes may start at once: the lock lets one do the
 * work, and the others find it done. A node of an earlier version is refused before it writes anything.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { url, queues, rules, onApply = () => {}, schema = schemaFolder } = options;
  const client = new PrimaryClient({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const applied = await appliedMigrations(client);
    const known = await migrationFiles();
    refuseChangedHistory(applied, known);

    const files = await readSchemaFiles(schema);
    const pending = known.filter(({ name }) => !applied.has(name));
    for (const [index, { name, sql, checksum }] of pending.entries()) {
      onApply(name);
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      // No session sees the tables of the last migration with functions of before.
      if (index === pending.length - 1) await applyFiles(client, files, true, onApply);
      await client.query('commit');
    }
    if (pending.length === 0) {
      await client.query('begin');
      await applyFiles(client, files, false, onApply);
      await client.query('commit');
    }
    await prepareJobSchema(client, queues);
    await grantToApp(client, rules);
  } finally {
    // Ending the connection also releases the lock, also after an error above.
    await client.end();
  }
}

async function applyFiles(
  client: pg.Client,
  files: Awaited<ReturnType<typeof readSchemaFiles>>,
  isMigrated: boolean,
  onApply: (name: string) => void,
): Promise<void> {
  const names = await applySchemaFiles(client, files, isMigrated);
  for (const name of names) onApply(`schema/${name}`);
  // A function that was dropped and created has lost its rights, and nodes call it as soon as this transaction ends.
  if (names.length > 0 && (await hasAppRole(client))) await grantFunctions(client);
}

const grantFunctions = (client: pg.Client) =>
  client.query(`grant execute on all functions in schema public to ${appRole}`);

async function hasAppRole(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [appRole]);
  return rowCount === 1;
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

async function migrationFiles(): Promise<Migration[]> {
  const names = (await readdir(migrationFolder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationFolder), 'utf8');
      return { name, sql, checksum: checksumOf(sql) };
    }),
  );
}

/**
 * Migrations only go forward. Editing one that was applied would leave two networks with the same version and different
 * schemas.
 */
function refuseChangedHistory(applied: Map<string, string>, known: Migration[]): void {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = byName.get(name);
    if (!migration)
      throw new Error(`The database has migration ${name}, which this version does not know: it is newer.`);
    if (migration.checksum !== checksum) throw new Error(`Migration ${name} was changed after it had been applied.`);
  }
}

async function grantToApp(client: pg.Client, rules: TableRules): Promise<void> {
  const { appendOnly, neverDeleted, writtenByFunctions } = rules;
  // A network that runs everything under one role has no second one to grant to.
  if (!(await hasAppRole(client))) return;
  await client.query(`
    grant usage on schema public, pgboss to ${appRole};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${appRole};
    grant usage, select on all sequences in schema public, pgboss to ${appRole};
    grant execute on all functions in schema public, pgboss to ${appRole};
    revoke all on migrations, schema_files from ${appRole};
    grant select on migrations, schema_files to ${appRole};
    revoke update, delete, truncate on ${appendOnly.join(', ')} from ${appRole};
    revoke delete, truncate on ${neverDeleted.join(', ')} from ${appRole};
    revoke insert, update, delete, truncate on ${writtenByFunctions.join(', ')} from ${appRole}`);
  // Rows of a partition are reached through its table, whose rights count then; a right on the partition itself would
  // pass by them.
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relispartition and relkind in ('r', 'p')
     and relnamespace = 'public'::regnamespace`,
  );
  if (rows.length > 0) await client.query(`revoke all on ${rows.map(({ name }) => name).join(', ')} from ${appRole}`);
}
