import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs the proofs that take minutes and prints their tables: the limit at every power, a thousand drivers at a network
 * with faults while the server is killed fifty times, every pair of staff actions (`staff`; hours, so `--minutes 20` stops it and
 * the next run goes on), and tens of thousands of calls with hostile input (`fuzz`; FUZZ_SEED, FUZZ_ROUNDS).
 * `npm run proof -- limit` runs the files whose name contains the argument.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
/** Other proofs have the same word in their paths. */
const files: Record<string, string> = { staff: 'staff-pairs' };

const args = process.argv.slice(2).filter((arg) => arg !== '--');
const at = args.indexOf('--minutes');
const [, minutes] = at < 0 ? [] : args.splice(at, 2);
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'scripts/proof.config.ts', ...args.map((arg) => files[arg] ?? arg)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PROOF: 'full', ...(minutes === undefined ? {} : { PROOF_MINUTES: minutes }) },
  },
);
process.exitCode = status ?? 1;
