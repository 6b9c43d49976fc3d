import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { checkDatabase } from '../../app/start-checks.ts';
import type { Config } from '../../config/config.ts';
import { type Database, openDatabase } from '../../platform/database.ts';
import { createSecretBox } from '../../platform/outside/secret-box.ts';
import { type DatabaseHost, databaseHosts, PrimaryClient } from '../../platform/primary.ts';
import { type Check, checksOf, reasonOf } from './check.ts';

const { ok, warning, failed } = checksOf('database');
const clock = checksOf('clock');
const oldestVersion = 15;
/** Signatures of calls are valid for minutes, one-time codes too; more than this is a clock that is not kept right. */
const mostClockMs = 2_000;

type Settings = Pick<
  Config,
  'databaseUrl' | 'directDatabaseUrl' | 'migrationDatabaseUrl' | 'allowsLedgerOwner' | 'secret' | 'push'
>;

export async function examineDatabase(config: Settings): Promise<Check[]> {
  const { databaseUrl, directDatabaseUrl } = config;
  if (databaseUrl === null) return [failed('DATABASE_URL is missing', 'Set it to the role fpay_app of PostgreSQL.')];
  const hosts = databaseHosts(databaseUrl) ?? [];
  const checks = (await Promise.all(hosts.map((host) => checkHost(host, hosts.length > 1)))).flat();
  const { db, close } = openDatabase({ url: databaseUrl, isPooled: directDatabaseUrl !== null, poolSize: 1 });
  try {
    checks.push(...(await checkContent(db, config)));
  } catch (error) {
    if (checks.every(({ state }) => state !== 'failed')) checks.push(connectionFailed('DATABASE_URL', error));
  } finally {
    await close();
  }
  if (directDatabaseUrl !== null) checks.push(await checkDirect(directDatabaseUrl));
  checks.push(await checkOwner(config.migrationDatabaseUrl));
  return checks;
}

async function checkHost(host: DatabaseHost, isOneOfMany: boolean): Promise<Check[]> {
  if (!isOneOfMany) return [];
  const name = `${host.host}:${host.port}`;
  const client = new pg.Client({ connectionString: host.url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby');
    return [ok(`${name} is ${rows[0]?.is_standby ? 'a standby' : 'the primary'}`)];
  } catch (error) {
    return [
      warning(`${name} does not answer: ${reasonOf(error)}`, 'Start this host; without it no failover is possible.'),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkContent(db: Database, config: Settings): Promise<Check[]> {
  const askedAt = Date.now();
  const { rows } = await sql<{
    version: number;
    version_text: string;
    role: string;
    is_superuser: boolean;
    now: Date;
    archive: string;
    timeout: string;
    has_schema: boolean;
  }>`select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
      current_user as role, (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
      clock_timestamp() as now, current_setting('archive_mode') as archive,
      current_setting('statement_timeout') as timeout, to_regclass('migrations') is not null as has_schema`.execute(db);
  const [found] = rows;
  if (!found) return [];
  const half = (Date.now() - askedAt) / 2;
  const checks: Check[] = [
    found.version >= oldestVersion * 10_000
      ? ok(`PostgreSQL ${found.version_text}`)
      : failed(`PostgreSQL ${found.version_text} is too old`, `Upgrade it to ${oldestVersion} or newer.`),
    found.is_superuser
      ? failed(`the role ${found.role} is a superuser`, 'Use fpay_app in DATABASE_URL (deploy/postgres-roles.sh).')
      : ok(`the role ${found.role} is no superuser`),
    clockCheck('the database', found.now.getTime() - askedAt - half),
  ];
  if (found.archive === 'off') {
    checks.push(
      warning(
        'WAL is not archived, so a restore loses everything since the last dump',
        'Set up deploy/backup (docs/deploy.md, Backups), unless the provider makes the backups.',
      ),
    );
  }
  if (config.directDatabaseUrl !== null && found.timeout === '0') {
    checks.push(
      warning(
        'statements have no time limit behind the pool',
        `alter role ${found.role} set statement_timeout = '15s'; the same for idle_in_transaction_session_timeout.`,
      ),
    );
  }
  if (!found.has_schema) return [...checks, ok('the database is empty; the first start creates the schema')];
  return [...checks, await checkSchema(db), ...(await checkRules(db, config)), ...(await checkSecret(db, config))];
}

async function checkSchema(db: Database): Promise<Check> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const known = readdirSync(new URL('../../../migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'));
  const newer = [...applied].filter((name) => !known.includes(name));
  if (newer.length > 0)
    return failed(`the schema has ${newer.join(', ')}, which this version does not know`, 'Install the newer version.');
  const open = known.filter((name) => !applied.has(name)).length;
  return ok(open === 0 ? 'the schema is up to date' : `${open} migrations run at the next start`);
}

async function checkRules(db: Database, config: Settings): Promise<Check[]> {
  const { problems, warnings } = await checkDatabase({ ...config, mode: 'production', warnings: [] }, db);
  const advice = 'README.md, Two database roles.';
  if (problems.length + warnings.length === 0) return [ok('the ledger is protected, and there are no demo accounts')];
  return [...problems.map((text) => failed(text, advice)), ...warnings.map((text) => warning(text, advice))];
}

/** The only value in the database that was sealed with SECRET before any charger or driver needs it. */
async function checkSecret(db: Database, { secret }: Settings): Promise<Check[]> {
  const key = await db.selectFrom('push_keys').select('private_key').executeTakeFirst();
  if (!key) return [];
  const { ok: right, failed: wrong } = checksOf('secret');
  return createSecretBox(secret, 'push-key').unseal(key.private_key) !== null
    ? [right('SECRET is the one with which this database was made')]
    : [
        wrong(
          'SECRET is not the one with which this database was made',
          'Restore the old SECRET. With another one every charge point needs a new key.',
        ),
      ];
}

/** A pool refuses or ignores a setting at the start of a connection; PostgreSQL itself takes it. */
async function checkDirect(url: string): Promise<Check> {
  const unusualMs = 14_321;
  const isPool = failed(
    'DIRECT_DATABASE_URL leads to a pool too, so events between nodes are lost',
    'Set it to the address of PostgreSQL itself.',
  );
  const client = new PrimaryClient({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    statement_timeout: unusualMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(
      "select setting from pg_settings where name = 'statement_timeout'",
    );
    return Number(rows[0]?.setting) === unusualMs ? ok('DIRECT_DATABASE_URL keeps a session') : isPool;
  } catch (error) {
    return (error as { code?: string }).code === '08P01' ? isPool : connectionFailed('DIRECT_DATABASE_URL', error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkOwner(url: string | null): Promise<Check> {
  if (url === null)
    return warning(
      'MIGRATION_DATABASE_URL is not set, so new versions cannot change the schema',
      'Set it to the role fpay_owner.',
    );
  const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ role: string; may: boolean }>(
      `select current_user as role, has_schema_privilege('public', 'create') as may`,
    );
    const [found] = rows;
    return found?.may
      ? ok(`the role ${found.role} may change the schema`)
      : failed(`the role ${found?.role} may not change the schema`, 'Make it the owner of the database.');
  } catch (error) {
    return connectionFailed('MIGRATION_DATABASE_URL', error);
  } finally {
    await client.end().catch(() => {});
  }
}

const remedies: Record<string, string> = {
  ECONNREFUSED: 'Start PostgreSQL, and check host, port and listen_addresses.',
  ENOTFOUND: 'The name of the host does not resolve; check it.',
  '28P01': 'The password is wrong; set it with: alter role … password.',
  '28000': 'pg_hba.conf does not allow this role from here.',
  '3D000': 'Create the database (deploy/postgres-roles.sh).',
  '08001': 'Promote a standby, or start the primary.',
};

function connectionFailed(setting: string, error: unknown): Check {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  return failed(
    `${setting}: no connection: ${reasonOf(error)}`,
    remedies[code] ?? 'Check the address, the network and the log of PostgreSQL.',
  );
}

/** `aheadMs`: how much their clock is ahead of ours. */
export function clockCheck(whose: string, aheadMs: number): Check {
  const seconds = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s`;
  if (Math.abs(aheadMs) <= mostClockMs) return clock.ok(`agrees with that of ${whose} (${seconds})`);
  return clock.failed(
    `differs from that of ${whose} by ${seconds}`,
    'Run a time service (chrony or systemd-timesyncd) on every machine.',
  );
}
