import { expect, test } from 'vitest';
import { fuzzWorld } from './testing/fuzz/world.ts';

/** The same calls as in `npm test`, so often that rare combinations come up. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 30);

test(`no declared call answers 5xx or shows its inside to any role, ${rounds} rounds`, async () => {
  const { faults } = await fuzzWorld(rounds);
  expect(faults).toEqual([]);
});
