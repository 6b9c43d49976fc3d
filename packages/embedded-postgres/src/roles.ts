import pg from 'pg';
import type { Note } from './note.ts';

/**
 * There are three roles, so that the product cannot change the rules that the owner of its schema defined. Neither the
 * owner nor the product may create roles or databases.
 */
const attributes = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

/** This can be repeated: after a program was killed halfway, the next start does the rest. */
export async function prepareRoles(admin: pg.Client, passwords: Note['passwords']): Promise<void> {
  for (const role of ['fpay_owner', 'fpay_app'] as const) {
    const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (!rowCount) await admin.query(`CREATE ROLE ${role} ${attributes} PASSWORD ${pg.escapeLiteral(passwords[role])}`);
  }
  await admin.query('REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC');
}

/** Creates a database owned by `fpay_owner`, which thereby also owns the schema public. */
export async function prepareDatabase(admin: pg.Client, name: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (!rowCount) await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER fpay_owner`);
  await allowOnlyProduct(admin, name);
}

/**
 * By default every role may connect and create temporary tables. A clone of a database does not inherit these rights.
 */
export async function allowOnlyProduct(admin: pg.Client, name: string, app = 'fpay_app'): Promise<void> {
  const database = pg.escapeIdentifier(name);
  await admin.query(
    `REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO ${pg.escapeIdentifier(app)}`,
  );
}
