import { expect, test } from 'vitest';
import { fuzzStack } from '../testing/fuzz/stack.ts';
import { announce, randomOfCommit, runsAll } from '../testing/slice.ts';

/** The part of the calls of each role; the commit chooses which. */
const share = runsAll ? 1 : 0.25;
const seed = Math.floor(randomOfCommit('fuzz').next() * 2 ** 31);

/** `npm run proof -- fuzz` makes many more calls. Repeat a failure with the printed seed: FUZZ_SEED=… */
test('no declared call answers 5xx or discloses internals to any role, whatever it is given', async () => {
  if (!runsAll) announce('fuzz', `${share} of the calls of each role`);
  const { calls, faults } = await fuzzStack({ seed, rounds: 1, share });
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(1_000);
}, 300_000);
