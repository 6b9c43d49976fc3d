import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createRandom } from '@fpay/simulator/src/random.ts';
import { openStaffRuns, type StaffRuns } from './staff-run.ts';
import { allPairs, anyBetween, readSequence, type StaffSequence, sequenceText } from './staff-sequences.ts';

interface ProofOptions {
  /** Where the place, the seed and the failures are kept, so that the proof can stop and go on. */
  file: string;
  seed: string;
  minutes: number;
  lanes: number;
}

interface Failure {
  sequence: string;
  faults: string[];
}

interface Place {
  seed: string;
  /** Of all pairs: when actions or states are added, the proof begins again. */
  table: string;
  done: number;
  failed: Failure[];
}

export interface ProofOutcome extends Pick<Place, 'seed' | 'done' | 'failed'> {
  pairs: number;
}

/** After these many sequences a lane checks the whole ledger, and the place is saved. */
const perRound = 20;
/** The ledger check reads everything, so a lane gets an empty database after these many rounds. */
const roundsPerDatabase = 12;

/** All pairs in an order that the seed chooses; for each it also chooses how far the bank is between the actions. */
function pairsInOrder(seed: string): StaffSequence[] {
  const random = createRandom(seed);
  return allPairs()
    .map((pair) => ({ pair: { ...pair, between: anyBetween(random) }, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ pair }) => pair);
}

function readPlace({ file, seed }: ProofOptions, table: string): Place {
  const fresh = { seed, table, done: 0, failed: [] };
  if (!existsSync(file)) return fresh;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Place;
  return kept.seed === seed && kept.table === table ? kept : { ...fresh, failed: kept.failed };
}

function savePlace(file: string, place: Place): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(place, null, 2));
  renameSync(`${file}.new`, file);
}

async function playAll(runs: StaffRuns, sequences: readonly StaffSequence[]): Promise<Failure[]> {
  const failed: Failure[] = [];
  for (const sequence of sequences) {
    const faults = await runs.play(sequence);
    if (faults.length > 0) failed.push({ sequence: sequenceText(sequence), faults });
  }
  const inBooks = await runs.check();
  const ofBooks = inBooks.map(({ sequence, fault }) => ({
    // A rule about the whole ledger names no charge.
    sequence: sequence
      ? sequenceText(sequence)
      : `one of ${sequences.length}, the last: ${sequences.map(sequenceText).at(-1)}`,
    faults: [fault],
  }));
  return [...failed, ...ofBooks];
}

/** Plays pairs until the time is over or all are done. What failed before is played first. */
export async function provePairs(options: ProofOptions, print: (line: string) => void): Promise<ProofOutcome> {
  const { seed, lanes, minutes, file } = options;
  const pairs = pairsInOrder(seed);
  const table = createHash('sha256').update(JSON.stringify(allPairs())).digest('hex').slice(0, 16);
  const place = readPlace(options, table);
  const until = performance.now() + minutes * 60_000;
  const show = ({ sequence, faults }: Failure) => print(`FAILED ${sequence}\n  ${faults.join('\n  ')}`);
  const stacks: StaffRuns[] = [];
  const open = async () => {
    await Promise.all(stacks.splice(0).map((runs) => runs.close()));
    stacks.push(...(await Promise.all(Array.from({ length: lanes }, openStaffRuns))));
  };

  try {
    await open();
    place.failed = await againFailed(place.failed);
    for (let round = 1; performance.now() < until && place.done < pairs.length; round += 1) {
      const chunk = pairs.slice(place.done, place.done + lanes * perRound);
      const shares = stacks.map((runs, lane) =>
        playAll(
          runs,
          chunk.filter((_, at) => at % lanes === lane),
        ),
      );
      const failed = (await Promise.all(shares)).flat();
      failed.forEach(show);
      place.failed.push(...failed);
      place.done += chunk.length;
      savePlace(file, place);
      print(`${place.done} of ${pairs.length} pairs, ${place.failed.length} failed, seed ${seed}`);
      if (round % roundsPerDatabase === 0) await open();
    }
  } finally {
    await Promise.all(stacks.map((runs) => runs.close()));
  }
  return { ...place, pairs: pairs.length };

  async function againFailed(failed: readonly Failure[]): Promise<Failure[]> {
    const [runs] = stacks;
    const known = failed.filter(({ sequence }) => !sequence.startsWith('one of '));
    const again: Failure[] = [];
    for (const { sequence } of known) if (runs) again.push(...(await playAll(runs, [readSequence(sequence)])));
    again.forEach(show);
    if (known.length > 0) print(`${known.length} had failed before, ${again.length} of them fail again`);
    return again;
  }
}
