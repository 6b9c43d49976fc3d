import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import pg from 'pg';
import { migrateProduct } from '../apps/server/src/schema.ts';

/** Generates the types of the schema from an empty database with all migrations applied. */
const root = fileURLToPath(new URL('..', import.meta.url));
const cluster = await startEmbeddedPostgres({
  dataDir: join(root, 'node_modules/.cache/db-types'),
  durability: 'test',
  log: { info: () => {}, warn: (fields, message) => console.warn(message, fields) },
});
try {
  const admin = new pg.Client({ connectionString: cluster.adminUrl });
  await admin.connect();
  await admin.query('drop database if exists types with (force)');
  await admin.query('create database types owner fpay_owner');
  await admin.end();
  const url = new URL(cluster.ownerUrl);
  url.pathname = 'types';
  await migrateProduct({ url: url.href });
  execFileSync(join(root, 'node_modules/.bin/kysely-codegen'), [], {
    cwd: join(root, 'apps/server'),
    env: { ...process.env, DATABASE_URL: url.href },
    stdio: 'inherit',
  });
} finally {
  await cluster.stop();
}
