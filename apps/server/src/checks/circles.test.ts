import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { betweenSiblings, circlesIn, importGraph, joined } from '../testing/circles.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const files = importGraph(root, [
  'apps/*/{src,bench,build}/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
  'scripts/**/*.ts',
  'e2e/**/*.ts',
]);

test('no file imports itself through others, by types neither', () => {
  expect(files.size).toBeGreaterThan(1_500);
  expect(circlesIn(files)).toEqual([]);
});

const isSupport = /\.(test|proof)\.tsx?$|\/(testing|demo|cli)\//;
const below = 'apps/server/src/';

test('the features of the server import each other in one direction', () => {
  const features = joined(files, (file) =>
    !file.startsWith(below) || isSupport.test(file)
      ? null
      : (/^[^/]+(?=\/)/.exec(file.slice(below.length))?.[0] ?? null),
  );
  expect(features.size).toBeGreaterThan(15);
  expect(circlesIn(features)).toEqual([]);
});

/** Files that lie directly in a feature are above its folders and below them: they join them, and all of them use its store. */
test('the folders of a feature import each other in one direction', () => {
  const rooms = joined(files, (file) =>
    !file.startsWith(below) || isSupport.test(file)
      ? null
      : (/^[^/]+\/[^/]+(?=\/)/.exec(file.slice(below.length))?.[0] ?? null),
  );
  expect(rooms.size).toBeGreaterThan(20);
  expect(circlesIn(rooms)).toEqual([]);
});

/** At every depth: `backoffice/search` and `backoffice/shell` as well as `ui` and `data`. Files beside folders join them. */
test('the folders of the web import each other in one direction', () => {
  const folders = betweenSiblings(files, (file) => file.startsWith('apps/web/src/') && !isSupport.test(file));
  expect(folders.size).toBeGreaterThan(30);
  expect(circlesIn(folders)).toEqual([]);
});

test('a circle is found, of two files and of more', () => {
  const graph = (arrows: Record<string, string[]>) =>
    new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)]));
  expect(circlesIn(graph({ a: ['b'], b: ['c'], c: [] }))).toEqual([]);
  expect(circlesIn(graph({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['e'], e: ['c', 'b'] }))).toEqual([
    ['a', 'b', 'c', 'd', 'e'],
  ]);
  expect(circlesIn(graph({ start: ['a', 'c'], a: ['b'], b: ['a'], c: ['d'], d: ['c'] }))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});
