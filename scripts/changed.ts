import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { specsOf } from './page-map.ts';

/** Tests that read the sources instead of importing them, so no import leads to them. */
export const readers: readonly string[] = [
  'api-document',
  'arrows',
  'circles',
  'documents',
  'migrations',
  'own-money',
  'permissions',
  'readme-trees',
  'seams',
  'staff-records',
  'table-owners',
  'tidy',
  'user-tables',
].map((name) => `apps/server/src/checks/${name}.test.ts`);

/** What is not committed yet, or the last commit when everything is. */
export function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const open = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const files = open.length > 0 ? open : git('diff', '--name-only', 'HEAD~1');
  return files.filter((file) => existsSync(file));
}

/** Sources of tests by their imports, and those that read the tree. Vitest follows the imports. */
export function relatedTo(files: readonly string[]): string[] {
  const code = files.filter((file) => /\.(ts|tsx|css|json|sql)$/.test(file) && !file.startsWith('e2e/'));
  return [...new Set([...code, ...readers])];
}

/** Names of browser tests, for Playwright. */
export function specsFor(files: readonly string[]): string[] {
  return [...new Set(files.flatMap(specsOf))].toSorted();
}
