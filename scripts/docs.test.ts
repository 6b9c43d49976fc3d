import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ownCode } from './own-code.ts';
import { tour } from './screens/tour.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...globSync('docs/*.md', { cwd: root }),
];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Every file of the project that a document may name. */
const tree = globSync(['*', '.ci/*', '{apps,packages,scripts,e2e,docs,deploy}/**'], {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).map((path) => `/${path}`);
const readmes = globSync('{apps,packages,scripts,e2e,deploy}/**/README.md', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
});

/** A path in a code span: it has the ending of a file, or begins with a folder of the root. `/api/…` is an address. */
const isPath = (span: string) =>
  /^\.{0,2}[\w@-][\w.@{},*<>-]*(?:\/[\w.@{},*<>-]+)*\/?$/.test(span) &&
  (/[\w>}]\.(?:tsx?|mts|mjs|sql|md|css|ya?ml)$/.test(span) ||
    /^(?:apps|packages|docs|scripts|e2e|deploy)\//.test(span));

/** Whether a file or folder ends like this. `<name>`, `NN` and `*` stand for any name, braces for any of theirs. */
function isInTree(span: string): boolean {
  const pattern = span
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .replace(/[.+?()[\]]/g, '\\$&')
    .replace(/<[^>]+>|NN|\*+/g, '.*')
    .replace(/\{([^}]+)\}/g, (_all, names: string) => `(?:${names.replaceAll(',', '|')})`);
  const ending = new RegExp(`/${pattern}$`);
  return tree.some((path) => ending.test(path));
}

const isBuilt = (span: string) => /\/dist(?:\/|$)/.test(span);

/** Commands of npm itself. */
const npmCommands = new Set(['start', 'test', 'ci', 'install', 'run']);

describe.each(documents)('%s', (file) => {
  const text = read(file);

  test('names only commands that exist', () => {
    // Commands are in code spans and fenced blocks; other sentences speak of npm too.
    const code = [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([part]) => part).join('\n');
    const named = [...code.matchAll(/\bnpm (run )?(?:--?\w+ )*([a-z][a-z0-9:-]*)/g)];
    const missing = named.filter(([, run, name = '']) => (run ? scripts[name] === undefined : !npmCommands.has(name)));
    expect(missing.map(([command]) => command)).toEqual([]);
  });

  test('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ...text.matchAll(/<img src="([^"]+)"/g)].map(
      ([, target = '']) => target,
    );
    const local = links.filter((target) => !/^[a-z]+:/.test(target));
    expect(local.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
  });
});

test.each([...documents.filter((file) => file !== 'CHANGELOG.md'), ...readmes])(
  '%s names only files that exist',
  (file) => {
    const spans = Array.from(read(file).matchAll(/`([^`\n]+)`/g), ([, span = '']) => span);
    expect(spans.filter((span) => isPath(span) && !isBuilt(span) && !isInTree(span))).toEqual([]);
  },
);

test('the lines of our own code are those of the page, to a tenth', () => {
  const page = read('docs/own-code.md');
  for (const { name, lines } of ownCode()) {
    const stated = Number(new RegExp(`\\| ${name} \\| (\\d+) `).exec(page)?.[1]);
    expect(Math.abs(stated - lines), name).toBeLessThanOrEqual(lines / 10);
  }
});

test('the tour shows each of its pictures in order, and all of them are small', () => {
  const shown = Array.from(read('docs/tour.md').matchAll(/tour\/([\w-]+)\.webp/g), ([, name]) => name);
  expect(shown).toEqual(tour.map(({ name }) => name));
  const bytes = globSync('docs/tour/*', { cwd: root }).map((file) => statSync(join(root, file)).size);
  expect(bytes).toHaveLength(tour.length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000);
});

test('the README shows the product in its first screenful', () => {
  const first = read('README.md').split('\n').slice(0, 20).join('\n');
  expect(first.match(/<img /g)?.length).toBeGreaterThanOrEqual(4);
});

/** Commands of the documents that change nothing and take seconds. */
test.each([
  ['npm', ['run', '--silent', 'requirements', '--', '--missing'], /./],
  ['npm', ['run', '--silent', 'simulate', '--', '--help'], /charge points/],
])(
  '%s %j runs',
  async (command, args, output) => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: root, timeout: 60_000 });
    expect(stdout).toMatch(output);
  },
  90_000,
);
