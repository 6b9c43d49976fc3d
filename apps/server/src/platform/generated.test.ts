import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('the generated types are those of the migrated schema', async () => {
  const codegen = fileURLToPath(new URL('../../../../node_modules/.bin/kysely-codegen', import.meta.url));
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const env = { ...process.env, DATABASE_URL: database.ownerUrl };
  const { stdout } = await promisify(execFile)(codegen, ['--verify'], { cwd, env });
  expect(stdout).toMatch(/up-to-date/i);
});
