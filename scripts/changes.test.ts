import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * Changes that come again, as patches: how many files each touches says whether an idea has one place. A patch that does
 * not apply any more is made again with the change that moved its lines: apply it with `git apply --3way`, and store `git diff`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const changes: Record<string, { files: number; without?: RegExp; tests: string[] }> = {
  'connector-type': {
    files: 8,
    tests: ['packages/contract/src/connectors.test.ts', 'apps/server/src/demo/network', 'apps/web/src/ui/picture'],
  },
  // Beside its own folder. Cardgate is invented: the simplest bank that holds, captures and returns.
  bank: {
    files: 12,
    without: /^apps\/server\/src\/payments\/cardgate\//,
    tests: [
      'apps/server/src/payments/cardgate',
      'apps/server/src/payments/bank-terms.test.ts',
      'apps/server/src/payments/banks.test.ts',
      'apps/server/src/checks/readme-trees.test.ts',
      'apps/server/src/config',
      'apps/sandbox/src',
    ],
  },
  // Beside its texts, which a language may have in part.
  language: {
    files: 12,
    without: /^apps\/web\/src\/i18n\/texts\//,
    tests: ['packages/contract/src/languages.test.ts', 'apps/web/src/i18n', 'apps/web/src/app/shell/top-bar.test.tsx'],
  },
  'staff-action': {
    files: 22,
    tests: [
      'apps/server/src/charging/staff/actions.test.ts',
      'apps/server/src/charging/staff/crash.test.ts',
      'apps/server/src/charging/staff/effect.test.ts',
      'apps/server/src/checks/staff-records.test.ts',
      'apps/server/src/checks/staff-rules.test.ts',
      'apps/server/src/checks/api-document.test.ts',
      'apps/web/src/features/backoffice/operation',
      'apps/web/src/i18n',
    ],
  },
};
const patchOf = (name: string) => join(root, 'scripts/changes', `${name}.patch`);
const filesOf = (name: string) =>
  Array.from(readFileSync(patchOf(name), 'utf8').matchAll(/^diff --git a\/(\S+) b\/\S+$/gm), ([, file = '']) => file);

/** A copy of the tree, whose workspaces are its own and whose other modules are those that are installed. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'fpay-changes-'));
  const left = /(^|\/)(node_modules|dist|\.git|\.data)$/;
  cpSync(root, copy, { recursive: true, filter: (path) => !left.test(path) });
  const modules = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules/@fpay'), { recursive: true });
  for (const name of readdirSync(modules)) {
    if (name !== '@fpay' && name !== '.cache') symlinkSync(join(modules, name), join(copy, 'node_modules', name));
  }
  for (const name of readdirSync(join(modules, '@fpay'))) {
    symlinkSync(readlinkSync(join(modules, '@fpay', name)), join(copy, 'node_modules/@fpay', name));
  }
  return copy;
}

const run = (cwd: string, program: string, ...argv: string[]) =>
  execFileSync(program, argv, { cwd, env: { ...process.env, TEST_ALL: '' }, stdio: 'pipe', encoding: 'utf8' });

test('every patch has its limit here', () => {
  const names = globSync('*.patch', { cwd: join(root, 'scripts/changes') });
  expect(names.toSorted()).toEqual(
    Object.keys(changes)
      .map((name) => `${name}.patch`)
      .toSorted(),
  );
});

describe.each(Object.entries(changes))('the change %s', (name, { files, without, tests }) => {
  test(`touches at most ${files} files, tests and documents included, and still applies`, () => {
    const counted = filesOf(name).filter((file) => !without?.test(file));
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(files);
    run(root, 'git', 'apply', '--check', patchOf(name));
  });

  // With everything, because the compiler takes half a minute.
  test.runIf(process.env.TEST_ALL === '1')('is complete: it compiles and its tests pass', { timeout: 900_000 }, () => {
    const copy = copyTree();
    try {
      run(copy, 'git', 'apply', patchOf(name));
      run(copy, 'node_modules/.bin/tsc', '-p', 'tsconfig.json');
      run(copy, 'node_modules/.bin/tsc', '-p', 'apps/web/tsconfig.json');
      run(copy, 'node_modules/.bin/vitest', 'run', ...tests);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
