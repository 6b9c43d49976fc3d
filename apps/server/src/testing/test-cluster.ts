import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import type { TestProject } from 'vitest/node';
import { migrateProduct } from '../app/schema.ts';
import { asAdmin, createDatabase, type TestRoles, urlFor } from './database.ts';
import { useExternalServer } from './external-server.ts';
import { removeRun, sweepLeftovers } from './leftovers.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestRoles & { template: string };
  }
}

/** Inside the project, so that the leftovers of a clone are removed together with it. */
const runsDir = fileURLToPath(new URL('../../../../node_modules/.cache/fpay-test', import.meta.url));

const template = 'fpay_test_template';

/** Vitest calls this once per run: one PostgreSQL and one migrated database, which each test file then clones. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { DATABASE_URL } = process.env;
  return DATABASE_URL ? setUpOn(project, DATABASE_URL) : setUpEmbedded(project);
}

async function setUpEmbedded(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(runsDir, { recursive: true });
  await sweepLeftovers(runsDir);
  const dataDir = await mkdtemp(join(runsDir, 'run-'));
  const log = { info() {}, warn: (fields: object, message: string) => console.warn(message, fields) };
  const { stop, ...roles } = await startEmbeddedPostgres({ dataDir, log, durability: 'test' });
  const tearDown = async () => {
    await stop();
    await removeRun(dataDir);
  };
  return provide(project, roles, template, tearDown);
}

async function setUpOn(project: TestProject, url: string): Promise<() => Promise<void>> {
  const server = await useExternalServer(url);
  const { removeRoles, ...roles } = server;
  const name = `${template}_${new URL(roles.ownerUrl).username.slice(-8)}`;
  const tearDown = async () => {
    await asAdmin(roles, (admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    await removeRoles();
  };
  return provide(project, roles, name, tearDown);
}

async function provide(project: TestProject, roles: TestRoles, name: string, tearDown: () => Promise<void>) {
  try {
    await createDatabase(roles, name, 'template0');
    await migrateProduct({ url: urlFor(roles.ownerUrl, name) });
    // PostgreSQL clones only a database without connections.
    await asAdmin(roles, (admin) => admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`));
    project.provide('testServer', { ...roles, template: name });
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}
