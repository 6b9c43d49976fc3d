import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { DB } from './generated/database.ts';
import { prepareJobSchema } from './job-schema.ts';
import type { QueueOptions } from './jobs.ts';
import { PrimaryClient } from './primary.ts';

const folder = new URL('../../migrations/', import.meta.url);

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
}

/**
 * Brings the schema up to date. Several nodes may start at once: the lock lets one do the work, and the others find it
 * done.
 */
export async function migrate({ url, queues, rules, onApply = () => {} }: MigrateOptions): Promise<void> {
  const client = new PrimaryClient({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const applied = await appliedMigrations(client);
    const known = await migrationFiles();
    refuseChangedHistory(applied, known);

    for (const { name, sql, checksum } of known) {
      if (applied.has(name)) continue;
      onApply(name);
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('commit');
    }
    await prepareJobSchema(client, queues);
    await grantToApp(client, rules);
  } finally {
    // Ending the connection also releases the lock, also after an error above.
    await client.end();
  }
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
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
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
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [appRole]);
  // A network that runs everything under one role has no second one to grant to.
  if (!rowCount) return;
  await client.query(`
    grant usage on schema public, pgboss to ${appRole};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${appRole};
    grant usage, select on all sequences in schema public, pgboss to ${appRole};
    grant execute on all functions in schema public, pgboss to ${appRole};
    revoke all on migrations from ${appRole};
    grant select on migrations to ${appRole};
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
