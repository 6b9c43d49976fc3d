import { randomBytes } from 'node:crypto';
import { isCode } from '@fpay/embedded-postgres/system-error';
import pg from 'pg';
import { asAdmin, type TestRoles } from './database.ts';

/** An existing server that the tests use with names of this run, which are removed at the end. */
export interface ExternalServer extends TestRoles {
  removeRoles(): Promise<void>;
}

/** `DATABASE_URL` needs the rights to create databases and roles, because the product's two roles are tested too. */
export async function useExternalServer(adminUrl: string): Promise<ExternalServer> {
  const run = randomBytes(4).toString('hex');
  const password = randomBytes(18).toString('base64url');
  const owner = `fpay_test_owner_${run}`;
  const app = `fpay_test_app_${run}`;
  const server = {
    adminUrl,
    ownerUrl: urlAs(adminUrl, owner, password),
    appUrl: urlAs(adminUrl, app, password),
    removeRoles: () => asAdmin(server, (admin) => admin.query(`DROP ROLE ${owner}, ${app}`)),
  };
  await asAdmin(server, async (admin) => {
    await ensureProductRole(admin);
    const login = `LOGIN PASSWORD ${pg.escapeLiteral(password)}`;
    await admin.query(`CREATE ROLE ${owner} ${login}`);
    // Migrations grant to `fpay_app`. That role may be in use here, so its password is not changed; the role of this
    // run is a member of it.
    await admin.query(`CREATE ROLE ${app} ${login} IN ROLE fpay_app`);
    // An account that is no superuser may give a database only to a role that it is a member of.
    await admin.query(`GRANT ${owner} TO CURRENT_USER`);
  });
  return server;
}

async function ensureProductRole(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query("SELECT FROM pg_roles WHERE rolname = 'fpay_app'");
  if (rowCount) return;
  await admin.query('CREATE ROLE fpay_app NOLOGIN').catch((error: unknown) => {
    // Another run was faster: "duplicate object", or the unique index of the catalogue.
    if (!isCode(error, '42710', '23505')) throw error;
  });
}

function urlAs(url: string, role: string, password: string): string {
  const address = new URL(url);
  address.username = role;
  address.password = password;
  return address.href;
}
