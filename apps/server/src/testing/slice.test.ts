import { createRandom } from '@fpay/simulator/src/random.ts';
import { expect, test } from 'vitest';
import { chosenBy } from './slice.ts';

const all = Array.from({ length: 28 }, (_, index) => `flow ${index}`);

test('a slice is the same for the same commit, in the order of the list, each entry once', () => {
  const slice = chosenBy(createRandom('a'), all, 0.25);
  expect(slice).toEqual(chosenBy(createRandom('a'), all, 0.25));
  expect(slice).toEqual(all.filter((entry) => slice.includes(entry)));
  expect(slice).toHaveLength(7);
});

test('the commits of a day choose every entry', () => {
  const commits = Array.from({ length: 40 }, (_, index) => `commit ${index}`);
  const chosen = new Set(commits.flatMap((commit) => chosenBy(createRandom(commit), all, 0.25)));
  expect(chosen.size).toBe(all.length);
});

test('a small list gives one entry, and the whole share gives the list', () => {
  expect(chosenBy(createRandom('a'), ['only'], 0.1)).toEqual(['only']);
  expect(chosenBy(createRandom('a'), all, 1)).toEqual(all);
});
