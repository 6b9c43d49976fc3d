import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withMigratedDatabase } from './migrated-database.ts';

/** Generates the types of the schema from an empty database with all migrations applied. */
const root = fileURLToPath(new URL('..', import.meta.url));
await withMigratedDatabase((url) => {
  execFileSync(join(root, 'node_modules/.bin/kysely-codegen'), [], {
    cwd: join(root, 'apps/server'),
    env: { ...process.env, DATABASE_URL: url.href },
    stdio: 'inherit',
  });
});
