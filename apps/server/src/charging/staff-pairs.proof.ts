import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { provePairs } from './testing/staff-proof.ts';

/**
 * Every pair of staff actions in every state takes hours, so it stops after `--minutes` and goes on from its place in the file at
 * the next run. `npm test` plays longer sequences instead.
 */
const minutes = Number(process.env.PROOF_MINUTES ?? 24 * 60);
const file = process.env.PROOF_FILE ?? fileURLToPath(new URL('../../../../.cache/staff-proof.json', import.meta.url));
const lanes = Number(process.env.PROOF_LANES ?? 3);
const seed = process.env.PROOF_SEED ?? 'pairs';
const closingMs = 30 * 60_000;

test('every pair of staff actions, in every state and both orders, followed by any later fact, leaves the books right and no money stranded', {
  timeout: minutes * 60_000 + closingMs,
}, async () => {
  const { done, pairs, failed } = await provePairs({ file, lanes, seed, minutes }, console.log);
  const again = "repeat one with PROOF_SEQUENCE='…' npm run unit -- apps/server/src/charging/staff/sequences.test.ts";
  expect(failed, `${failed.length} failed of ${done} of ${pairs} pairs; ${again}`).toEqual([]);
});
