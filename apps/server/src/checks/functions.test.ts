import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { measuredFunctions } from '../testing/functions.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const files = ['apps/*/{src,bench,build}/**/*.{ts,tsx}', 'packages/*/src/**/*.ts', 'scripts/**/*.ts', 'e2e/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/generated'] }))
  // A suite is read like a test, one case at a time.
  .filter((file) => !/(\.(test|proof|spec|bench|d)|-suite)\.tsx?$/.test(file));
const functions = files.flatMap((file) => measuredFunctions(root, file));

/** How many functions may be longer, by where they are. The numbers may only become smaller. */
const longAllowed = { server: 8, web: 17, others: 0 };
const mostLines = 60;
const mostWays = 19;

test('functions are short enough to be read at once', () => {
  expect(functions.length).toBeGreaterThan(10_000);
  const long = functions.filter(({ lines, isFactory }) => lines > mostLines && !isFactory);
  const partOf = (place: string) => /^apps\/(server|web)\//.exec(place)?.[1] ?? 'others';
  for (const [part, most] of Object.entries(longAllowed)) {
    const found = long
      .filter(({ place }) => partOf(place) === part)
      .map(({ place, name, lines }) => `${lines} ${place} ${name}`);
    expect(found.length, `more than ${most}:\n${found.sort().join('\n')}`).toBeLessThanOrEqual(most);
  }
});

test('no function decides twenty times', () => {
  const over = functions
    .filter(({ ways }) => ways > mostWays)
    .map(({ place, name }) => `${place.split(':')[0]} ${name}`);
  expect(over).toEqual([]);
});
