import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { readCatalog } from '../apps/server/src/testing/tables/catalog.ts';
import { tablesDocument } from '../apps/server/src/testing/tables/document.ts';
import { withMigratedDatabase } from './migrated-database.ts';

/** Writes docs/tables.md from the maps of owners and from a migrated database. */
await withMigratedDatabase(async (url) => {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const document = tablesDocument(await readCatalog(client));
  await client.end();
  writeFileSync(new URL('../docs/tables.md', import.meta.url), document);
});
