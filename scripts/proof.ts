import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs the proofs that take minutes and prints their tables: the limit at every power, a thousand drivers at a network
 * with faults while the server is killed fifty times, and tens of thousands of calls with hostile input (`fuzz`;
 * FUZZ_SEED, FUZZ_ROUNDS). `npm run proof -- limit` runs the files whose name contains the argument.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'scripts/proof.config.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, PROOF: 'full' } },
);
process.exitCode = status ?? 1;
