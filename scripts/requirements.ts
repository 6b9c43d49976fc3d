import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Claim, claimsIn, coverage, readRequirements, table } from './requirements/coverage.ts';

/**
 * Compares docs/requirements.md with the titles of the tests and lists by area which rows are proven. Fails when a row
 * of a finished package has no test, a test names an unknown row, or a test names more than five.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

/** Work packages whose rows must all be proven. */
const finished = ['01', '02', '03', '04', '05', '06'];

const rows = readRequirements(readFileSync(join(root, 'docs/requirements.md'), 'utf8'));
const files = globSync(['{apps,packages}/**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'], {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
});
const claims: Claim[] = files.flatMap((file) => claimsIn(file, readFileSync(join(root, file), 'utf8')));
const { byArea, missing, problems } = coverage(rows, claims, finished);

console.log(table(byArea));
if (process.argv.includes('--missing'))
  for (const { id, text, workPackage } of missing) console.log(`${workPackage}  ${id}  ${text}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
