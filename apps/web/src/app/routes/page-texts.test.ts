import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagesDeclaredIn, routeFiles } from '../../../build/page-files.ts';
import { shellTexts } from '../../i18n/i18n.ts';
import { texts as uk } from '../../i18n/texts/uk/index.ts';
import { accountPages } from './account.ts';
import { adminPages } from './admin.ts';
import { driverPages } from './driver.ts';

const source = resolve(import.meta.dirname, '../..');
/** Loaded with the first refusal on any page. */
const refusalTexts = 'refusals';
/** A part that brings its own texts: their namespaces and its path. */
const laterPart = /withTexts\(\[([^\]]+)\],\s*import\(\s*'(\.[^']+)'/g;

const key = new RegExp(`'(${Object.keys(uk).join('|')}):\\w+'`, 'g');
const anyImport =
  /(?:^|\n)(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|import '(\.[^']+)'/g;

/** The namespaces of the texts that a file uses, including all files that it imports, statically or lazily. */
function namespacesFrom(file: string, isFollowed: (path: string) => boolean, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) return new Set();
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  const found = new Set(Array.from(code.matchAll(key), ([, namespace = '']) => namespace));
  const pathOf = (given: string) => resolve(dirname(file), given);
  const later = new Map(
    Array.from(code.matchAll(laterPart), ([, own = '', path = '']) => [pathOf(path), own] as const),
  );
  for (const [path, own] of later) {
    for (const namespace of namespacesFrom(path, isFollowed)) if (!own.includes(`'${namespace}'`)) found.add(namespace);
  }
  for (const [, ...paths] of code.matchAll(anyImport)) {
    const path = pathOf(paths.find((given) => given !== undefined) ?? '');
    if (!isFollowed(path) || later.has(path)) continue;
    for (const namespace of namespacesFrom(path, isFollowed, seen)) found.add(namespace);
  }
  return found;
}

const declared = [...driverPages, ...accountPages, ...adminPages];
const pages = routeFiles.flatMap((file) => pagesDeclaredIn(readFileSync(join(import.meta.dirname, file), 'utf8')));

describe('the texts of a page', () => {
  it.each(pages)('$path names exactly the namespaces it uses, beside those of the shell', ({ module, texts }) => {
    const used = namespacesFrom(resolve(import.meta.dirname, module), () => true);
    for (const namespace of [...shellTexts, refusalTexts]) used.delete(namespace);
    expect([...texts].sort()).toEqual([...used].sort());
  });

  it('begin with the same head on every page below another one', () => {
    const below = declared.filter(({ header }) => header === 'page').map(({ path }) => path);
    expect(below).toContain('/balance');
    for (const { path, module } of pages.filter((page) => below.includes(page.path))) {
      const file = resolve(import.meta.dirname, module);
      const code = readFileSync(file, 'utf8');
      // The form of a car is one file for two pages.
      const parts = Array.from(code.matchAll(/from '(\.\/[^']+\.tsx)'/g), ([, part = '']) =>
        readFileSync(resolve(dirname(file), part), 'utf8'),
      );
      expect(
        [code, ...parts].some((source) => source.includes('<PageTitle')),
        path,
      ).toBe(true);
    }
  });

  it('are read from every declaration with its own code', () => {
    expect(pages.map(({ path, texts }) => ({ path, texts }))).toEqual(
      declared.map(({ path, texts = [] }) => ({ path, texts })),
    );
  });

  it('leave the shell with its own', () => {
    // Pages are reached through the declarations and are checked separately.
    const isShell = (path: string) => !relative(source, path).startsWith('app/routes/');
    const used = namespacesFrom(join(source, 'app/main.tsx'), isShell);
    for (const file of ['app/pages/not-found.tsx', 'app/shell/root-shell.tsx']) {
      for (const namespace of namespacesFrom(join(source, file), isShell)) used.add(namespace);
    }
    used.delete(refusalTexts);
    expect([...used].sort()).toEqual(shellTexts);
  });
});
