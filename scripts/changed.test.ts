import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { readers, relatedTo, specsFor } from './changed.ts';
import { mappedSpecs, specsOf } from './page-map.ts';

const root = join(import.meta.dirname, '..');
const specs = globSync('e2e/tests/*.spec.ts', { cwd: root }).map((file) => basename(file, '.spec.ts'));

it('the map of pages has every browser test, and no other', () => {
  expect([...mappedSpecs].toSorted()).toEqual(specs.toSorted());
});

it('every folder of pages leads to a browser test', () => {
  const folders = globSync('apps/web/src/features/*/', { cwd: root });
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => specsOf(`${folder.replace(/\/?$/, '/')}a.tsx`).length === 0)).toEqual([]);
});

it('a changed page runs its browser tests, a changed test itself, a document none', () => {
  expect(specsFor(['apps/web/src/features/cars/page.tsx', 'e2e/tests/back.spec.ts', 'docs/tour.md'])).toEqual([
    'back',
    'cars',
  ]);
  expect(specsFor(['apps/server/src/wallet/ledger.test.ts'])).toEqual([]);
});

it('tests that read the sources run with any change', () => {
  expect(relatedTo(['README.md', 'scripts/command.ts'])).toEqual(['scripts/command.ts', ...readers]);
  expect(readers.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
