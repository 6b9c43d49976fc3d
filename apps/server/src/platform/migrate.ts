import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { prepareJobSchema } from './job-schema.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** Any number will do, as long as every node takes the same one. */
const advisoryLock = 3_80_441;

/** The product's role: it reads and writes rows, owns nothing, and so cannot lift the rules the owner set. */
const appRole = 'fpay_app';

export interface MigrateOptions {
  /** A connection of the schema's owner, not of the product's role. */
  url: string;
  log?: (message: string) => void;
}

/** Brings the schema up to date. Several nodes may start at once: the lock lets one do the work, the others find it done. */
export async function migrate({ url, log = () => {} }: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url });
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
      log(`applying migration ${name}`);
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('commit');
    }
    await prepareJobSchema(client);
    await grantToApp(client);
  } finally {
    // Ending the connection also releases the lock, whatever happened above.
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

/** Forward only: a migration that ran somewhere is history. Editing it would leave two networks with one version and two schemas. */
function refuseChangedHistory(applied: Map<string, string>, known: Migration[]): void {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = byName.get(name);
    if (!migration)
      throw new Error(`The database has migration ${name}, which this version does not know: it is newer.`);
    if (migration.checksum !== checksum) throw new Error(`Migration ${name} was changed after it had been applied.`);
  }
}

/** Tables that the product may only add to; triggers say the same to everybody else. */
const appendOnly = ['audit', 'transfers', 'bank_exchanges'];

/** Tables whose rows change but never go: what happened with money, and what was logged or checked. */
const neverDeleted = ['payments', 'refunds', 'operation_log', 'user_log', 'ledger_checks'];

/** Tables that the product reads but writes only through the owner's functions: no balance moves without its transfer. */
const writtenByFunctions = ['accounts', 'transfers'];

async function grantToApp(client: pg.Client): Promise<void> {
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
}
