import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import pg from 'pg';
import { migrateProduct } from '../apps/server/src/app/schema.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Calls the function with the address of an empty database that has all migrations. */
export async function withMigratedDatabase(use: (url: URL) => Promise<void> | void): Promise<void> {
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
    await use(url);
  } finally {
    await cluster.stop();
  }
}
