import { test } from 'vitest';
import { proveCrowd } from './crowd-proof.test-support.ts';

/**
 * `npm test` sends fifty drivers and kills the server five times. Every second driver at a charge point that works has trouble of
 * another kind: captures and returns made at the bank, staff who act at random moments, a charge point that forgets its settings.
 * Other numbers, another seed or fewer kinds of trouble (`PROOF_WITHOUT`) by the environment, to look at one thing.
 */
const seed = process.env.PROOF_SEED ?? 'crowd';
const drivers = Number(process.env.PROOF_DRIVERS ?? 1_000);
const kills = Number(process.env.PROOF_KILLS ?? 50);

test(`${drivers} drivers at a network that partly misbehaves, the server killed ${kills} times: whoever can charge pays exactly for the energy, everybody else has all money back, nobody is stuck`, async () => {
  console.log(await proveCrowd({ drivers, kills, atOnce: 80, seed }));
});
