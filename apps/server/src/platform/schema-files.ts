import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** A file with the functions and views that are in force (docs/decisions/0063-functions-have-one-place.md). */
interface SchemaFile {
  name: string;
  sql: string;
  checksum: string;
}

/** PostgreSQL cannot replace a function whose result has another type or whose parameters have other names. */
const otherSignature = '42P13';

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function readSchemaFiles(folder: URL): Promise<SchemaFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: checksumOf(sql) };
    }),
  );
}

/** One checksum for all files. A migration names it, so that a change of a function has a place in the order of migrations. */
export const checksumOfAll = (files: readonly SchemaFile[]): string =>
  checksumOf(files.map(({ name, checksum }) => `${name} ${checksum}\n`).join(''));

export const functionsIn = (sql: string): string[] =>
  [...sql.matchAll(/^create or replace function (\w+)\(/gm)].map(([, name = '']) => name);

/**
 * Applies files in the order of their names, in the caller's transaction: those that have changed, or all after a migration,
 * because it may have dropped a function together with what the function depends on. Returns the names of the files.
 */
export async function applySchemaFiles(
  client: pg.Client,
  files: readonly SchemaFile[],
  isMigrated: boolean,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_files');
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const due = files.filter(({ name, checksum }) => isMigrated || applied.get(name) !== checksum);
  for (const { name, sql, checksum } of due) {
    await client.query('savepoint schema_file');
    if (!(await replaced(client, sql))) {
      await client.query('rollback to savepoint schema_file');
      await dropFunctions(client, functionsIn(sql));
      await client.query(sql);
    }
    await client.query(
      `insert into schema_files (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
      [name, checksum],
    );
  }
  await client.query('delete from schema_files where name <> all ($1)', [files.map(({ name }) => name)]);
  return due.map(({ name }) => name);
}

/** False when a function has another signature: PostgreSQL refuses it, or keeps the earlier function beside it. */
async function replaced(client: pg.Client, sql: string): Promise<boolean> {
  try {
    await client.query(sql);
  } catch (error) {
    if ((error as { code?: string }).code === otherSignature) return false;
    throw error;
  }
  const names = functionsIn(sql);
  return (await signaturesOf(client, names)).length === names.length;
}

async function signaturesOf(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any ($1)`,
    [names],
  );
  return rows.map(({ signature }) => signature);
}

/** Fails for a function that a trigger or a view needs. */
async function dropFunctions(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const signature of await signaturesOf(client, names)) await client.query(`drop function ${signature}`);
}
