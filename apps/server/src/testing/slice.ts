import { execFileSync } from 'node:child_process';
import { createRandom, type Random } from '@fpay/simulator/src/random.ts';

/**
 * Some lists are exhaustive: every point of a crash, every state of a charge, every call as every role. `npm test` runs a slice of
 * each, which the commit chooses, so that a day of commits proves what one run leaves out. `npm test -- --all` runs all of them, and
 * so does `TEST_ALL=1` for one file.
 */
export const runsAll = process.env.TEST_ALL === '1';

/** Chooses the slices and what is random in them. `PROOF_SEED` repeats those of another commit. */
export const slicesSeed: string = process.env.PROOF_SEED ?? commit();

/** An archive of the sources has no commit. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'no commit';
  }
}

/** Random choices that are the same in every run of this commit, and others for each name. */
export const randomOfCommit = (name: string): Random => createRandom(`${slicesSeed} ${name}`);

/** This share of the list, at least one, in the order of the list; all of it with `TEST_ALL=1`. */
export function sliceOf<T>(name: string, all: readonly T[], share: number): T[] {
  if (runsAll) return [...all];
  const chosen = chosenBy(randomOfCommit(name), all, share);
  announce(name, `${chosen.length} of ${all.length}`);
  return chosen;
}

export function chosenBy<T>(random: Random, all: readonly T[], share: number): T[] {
  const left = [...all.keys()];
  const count = Math.max(1, Math.round(all.length * share));
  const chosen = Array.from({ length: count }, () => left.splice(Math.floor(random.next() * left.length), 1)[0]);
  return all.filter((_, index) => chosen.includes(index));
}

/** For a test that is one of several long ones, none of which is in a list. */
export const isChosen = (name: string, share: number): boolean => runsAll || randomOfCommit(name).chance(share);

/** Says what was run and how to repeat it. */
export function announce(name: string, run: string): void {
  console.log(`${name}: ${run}; again with PROOF_SEED='${slicesSeed}', all with TEST_ALL=1`);
}
