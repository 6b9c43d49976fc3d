import { expect, test } from 'vitest';
import { fuzzStack } from '../testing/fuzz/stack.ts';

/** The same calls as in `npm test`, but so many that rare combinations occur. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 30);

test(`no declared call answers 5xx or discloses internals to any role, ${rounds} rounds`, async () => {
  const { faults } = await fuzzStack({ seed: Date.now() % 2 ** 31, rounds, share: 1 });
  expect(faults).toEqual([]);
});
