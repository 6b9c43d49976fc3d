import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Claim, claimsIn, coverage, readRequirements, table } from './requirements/coverage.ts';

/**
 * Compares docs/requirements.md with the titles of the tests and lists by area which rows are proven. Fails when a row has
 * no test, a test names an unknown row, or a test names more than five. `--stubbed` lists the rows that only tests of the
 * pages name, with both the call and its answer written in the test: such a test says nothing about the server.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

const rows = readRequirements(readFileSync(join(root, 'docs/requirements.md'), 'utf8'));
const files = globSync(['{apps,packages}/**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'], {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
});
const claims: Claim[] = files.flatMap((file) => claimsIn(file, readFileSync(join(root, file), 'utf8')));
const { byArea, missing, stubbed, problems } = coverage(rows, claims);

console.log(table(byArea));
if (process.argv.includes('--missing'))
  for (const { id, text, workPackage } of missing) console.log(`${workPackage}  ${id}  ${text}`);
if (process.argv.includes('--stubbed'))
  for (const { id, text, files } of stubbed) console.log(`${id}  ${text}  (${files.join(', ')})`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
