import { afterAll, beforeAll, expect, test } from 'vitest';
import { announce, slicesSeed } from '../../testing/slice.ts';
import { keptSequences } from '../testing/kept-sequences.ts';
import { openStaffRuns, type StaffRuns } from '../testing/staff-run.ts';
import { randomSequences, readSequence, type StaffSequence, sequenceText } from '../testing/staff-sequences.ts';

/**
 * Actions of staff on one charge in any order and in any state, with the fact that comes afterwards. `npm run proof -- staff` plays
 * every pair; here each commit chooses 200 longer sequences. `PROOF_SEED` repeats those of another commit, `PROOF_SEQUENCE` plays one.
 */
const count = 200;
/** Some 0.2 s of the processor each, on a machine that other tests use too. */
const timeout = 560_000;

let runs: StaffRuns;
beforeAll(async () => {
  runs = await openStaffRuns();
});
afterAll(() => runs.close());

async function play(sequences: readonly StaffSequence[]): Promise<string[]> {
  const faults: string[] = [];
  for (const sequence of sequences)
    faults.push(...(await runs.play(sequence)).map((fault) => `${sequenceText(sequence)}: ${fault}`));
  const inBooks = await runs.check();
  return [...faults, ...inBooks.map(({ sequence, fault }) => `${sequence ? sequenceText(sequence) : '?'}: ${fault}`)];
}

test('sequences of staff actions leave the books right and no money stranded [ADM-OP-32]', { timeout }, async () => {
  const { PROOF_SEQUENCE: one } = process.env;
  if (one === undefined) announce('staff sequences', `${count} of them`);
  expect(await play(one === undefined ? randomSequences(slicesSeed, count) : [readSequence(one)])).toEqual([]);
});

test.each(keptSequences)('%s: nothing is wrong afterwards [ADM-OP-32]', async (text) => {
  expect(sequenceText(readSequence(text))).toBe(text);
  expect(await play([readSequence(text)])).toEqual([]);
});
