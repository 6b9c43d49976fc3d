import { test } from 'vitest';
import { slicesSeed } from '../testing/slice.ts';
import { proveCrowd } from './testing/crowd-proof.ts';

/**
 * `npm test` runs twenty drivers whose troubles the commit chooses and kills the server twice; with `--all` fifty and five times. Every second driver at a working charge point has
 * another kind of trouble: captures and refunds made at the bank, staff who act at random moments, also two against each
 * other, a charge point that forgets its settings. The environment sets other numbers, another seed or fewer kinds of
 * trouble (`PROOF_WITHOUT`), to examine one thing.
 */
const drivers = Number(process.env.PROOF_DRIVERS ?? 1_000);
const seed = process.env.PROOF_SEED ?? (drivers < 50 ? slicesSeed : 'crowd');
const kills = Number(process.env.PROOF_KILLS ?? 50);

test(`${drivers} drivers at a network that partly misbehaves, the server killed ${kills} times: every driver who can charge pays exactly for the energy, all others get all money back, and no operation stays open`, async () => {
  console.log(await proveCrowd({ drivers, kills, atOnce: 80, seed }));
});
