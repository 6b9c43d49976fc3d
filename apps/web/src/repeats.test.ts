// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = import.meta.dirname;
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('ui/'),
);

/** What a page writes by hand although a building block does it, and the block. */
const repeats = {
  Loaded: /isOffline=\{[^}]*instanceof NetworkError\}/g,
  'useAction or showError': /notify\(text\(errorText\(/g,
  useMay: /permissions\.includes\([^)]*\) \?\? false/g,
  EmptyList: /rounded-card bg-surface p-8/g,
};

it.each(Object.entries(repeats))('%s is used instead of being written again', (_block, pattern) => {
  const found = files.flatMap((file) => {
    const { length } = readFileSync(join(source, file), 'utf8').match(pattern) ?? [];
    return length ? [`${file}: ${length}`] : [];
  });
  const count = found.reduce((sum, line) => sum + Number(line.split(': ')[1]), 0);
  expect(count, found.join('\n')).toBeLessThanOrEqual(3);
});

it('no effect leaves out a dependency without a hook that says when it runs', () => {
  const found = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('useExhaustiveDependencies'));
  expect(found).toEqual([]);
});
