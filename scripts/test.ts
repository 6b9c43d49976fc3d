import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { freePorts } from '../e2e/support/ports.ts';
import { ensureBrowser } from './browser.ts';
import { changedFiles, relatedTo, specsFor } from './changed.ts';
import { type CommandOptions, command } from './command.ts';
import { stopSignal } from './stop-signal.ts';
import {
  type Duration,
  type Failure,
  failureList,
  type Reporter,
  readCounts,
  readDurations,
  readFailures,
  slowestTests,
} from './test-report.ts';
import { buildWeb } from './web-build.ts';

interface Step {
  name: string;
  run(tools: Tools): Promise<unknown>;
  /** The runner whose report is at `tools.report` afterwards; its tests are counted. */
  counts?: Reporter;
  /** Runs the failed files again, alone on the machine. */
  repeat?(tools: Tools, files: string[]): Promise<unknown>;
}

interface Tools {
  exec(argv: string[], options?: Omit<CommandOptions, 'stop'>): Promise<void>;
  report: string;
  /** For browser tests: a browser, and settings that keep them apart from another running copy of the product. */
  browserEnv: Record<string, string>;
}

/** One reporter for people, one for the count at the end. */
const reporters = ['--reporter=default', '--reporter=json'];

/**
 * A test that measures time can fail because other tests used the machine. Up to this many failed files run again
 * alone; those that pass then are listed as unsteady at the end. More of them are a fault of the product or the tests.
 */
const mostRepeated = 3;

/**
 * Everything, and not the slices of the exhaustive tests that the commit chooses (`apps/server/src/testing/slice.ts`). CI runs it so.
 */
const runsAll = process.argv.includes('--all');

const crowd = ['vitest', 'run', '--config', 'scripts/proof.config.ts', 'crowd', '--testTimeout=600000'];
const crowdSize: Record<string, string> = runsAll
  ? { PROOF_DRIVERS: '50', PROOF_KILLS: '5' }
  : { PROOF_DRIVERS: '20', PROOF_KILLS: '2' };

/** Runs in parallel; when one fails, the other is still awaited. */
async function both(...works: (() => Promise<void>)[]): Promise<void> {
  const failed = (await Promise.allSettled(works.map((work) => work()))).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** One checker: several of them find the same types again, each for itself, and here the other core has work, too. */
const types = (project: string) => ['tsc', '-p', project, '--checkers', '1'];

const checks: Step[] = [
  {
    name: 'format and lint, types, unused code',
    run: ({ exec }) =>
      both(
        () => exec(types('tsconfig.json')),
        async () => {
          await exec(['biome', 'check', '.']);
          await exec(['knip']);
          await exec(types('apps/web/tsconfig.json'));
        },
      ),
  },
];

/** The stages of `npm test` in their order; the first failure ends it. */
const everything: Step[] = [
  ...checks,
  {
    name: 'tests',
    run: ({ exec, report }) => exec(['vitest', 'run', ...reporters, `--outputFile.json=${report}`]),
    counts: 'vitest',
    repeat: ({ exec, report }, files) =>
      exec(['vitest', 'run', '--no-file-parallelism', ...reporters, `--outputFile.json=${report}`, ...files]),
  },
  {
    // Alone, because it runs as fast as the machine allows.
    name: 'a crowd of drivers, and a server that dies',
    run: ({ exec, report }) => exec([...crowd, ...reporters, `--outputFile.json=${report}`], { env: crowdSize }),
    counts: 'vitest',
  },
  { name: 'web build', run: () => buildWeb() },
  {
    name: 'browser tests',
    run: ({ exec, report, browserEnv }) =>
      exec(['playwright', 'test', '--reporter=list,json'], {
        cwd: 'e2e',
        env: { ...browserEnv, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      }),
    counts: 'playwright',
    async repeat({ exec, report, browserEnv }, files) {
      // A test that failed may have left a car at a station, or a driver in the middle of a charge.
      await removeData(browserEnv.DATA_DIR ?? '');
      await exec(['playwright', 'test', '--workers=1', '--reporter=list,json', ...files], {
        cwd: 'e2e',
        env: { ...browserEnv, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      });
    },
  },
  { name: 'requirements', run: ({ exec }) => exec(['npm', 'run', '--silent', 'requirements']) },
];

/** `npm test -- --changed`: what the change can affect, for people at work. */
function ofChange(): Step[] {
  const files = changedFiles();
  const specs = specsFor(files);
  console.log(`${files.length} changed files; browser tests: ${specs.join(', ') || 'none'}`);
  const unit: Step = {
    name: 'tests of what imports the change',
    run: ({ exec, report }) =>
      exec(['vitest', 'related', '--run', ...reporters, `--outputFile.json=${report}`, ...relatedTo(files)]),
    counts: 'vitest',
  };
  const browser: Step = {
    name: 'browser tests of its pages',
    run: ({ exec, report, browserEnv }) =>
      exec(['playwright', 'test', '--reporter=list,json', ...specs.map((spec) => `/${spec}.spec`)], {
        cwd: 'e2e',
        env: { ...browserEnv, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      }),
    counts: 'playwright',
  };
  return [...checks, unit, ...(specs.length > 0 ? [{ name: 'web build', run: () => buildWeb() }, browser] : [])];
}

async function main(stop: AbortSignal): Promise<boolean> {
  const dir = await mkdtemp(join(tmpdir(), 'fpay-npm-test-'));
  const dataDir = join(dir, 'data');
  // Each of the hundreds of processes loads the same modules; only the first compiles them.
  const compileCache = { NODE_COMPILE_CACHE: join(dir, 'compiled') };
  const settings = runsAll ? { ...compileCache, TEST_ALL: '1' } : compileCache;
  const total = { passed: 0, failed: 0 };
  const tests: Duration[] = [];
  const failed: Failure[] = [];
  const failedAgain: Failure[] = [];
  const unsteady: Failure[] = [];
  const startedAt = Date.now();
  let failure: string | null = null;
  try {
    const browserEnv = await prepareBrowserEnv(dataDir, stop);
    const steps = process.argv.includes('--changed') ? ofChange() : everything;
    for (const [index, { name, run, counts, repeat }] of steps.entries()) {
      const stepStartedAt = Date.now();
      const coresBusy = measureCores();
      console.log(`\n=== ${index + 1}/${steps.length} ${name}`);
      const report = join(dir, `report-${index}.json`);
      const exec: Tools['exec'] = (argv, { env, ...options } = {}) =>
        command(argv, { ...options, env: { ...settings, ...env }, stop });
      let problem = await run({ exec, report, browserEnv }).then(() => null, messageOf);
      if (counts) {
        const count = await readCounts(counts, report);
        const notPassed = await readFailures(counts, report);
        tests.push(...(await readDurations(counts, report)));
        const files = [...new Set(notPassed.map(({ file }) => file))];
        if (problem && repeat && files.length > 0 && files.length <= mostRepeated) {
          console.log(`\n=== ${name}: ${problem}; again, alone: ${files.join(', ')}`);
          const again = { exec, report: join(dir, `report-${index}-again.json`), browserEnv };
          problem = await repeat(again, files).then(() => null, messageOf);
          failedAgain.push(...(await readFailures(counts, again.report)));
        }
        total.passed += count.passed + (problem ? 0 : count.failed);
        total.failed += problem ? count.failed : 0;
        (problem ? failed : unsteady).push(...notPassed);
      }
      console.log(`=== ${name}: ${problem ?? 'ok'} (${seconds(stepStartedAt)}, ${coresBusy()})`);
      if (problem) {
        failure = `${name}: ${problem}`;
        break;
      }
    }
  } catch (error) {
    failure = messageOf(error);
  } finally {
    await removeData(dataDir);
    await rm(dir, { recursive: true, force: true });
  }
  // A stage without counted tests counts as one failure, so that the last line never looks like success.
  if (failure && total.failed === 0) total.failed = 1;
  const most = 20;
  console.log(`\nThe slowest ${most} tests:\n${slowestTests(tests, { most, root: process.cwd() + sep })}`);
  if (unsteady.length > 0) console.log(`\nUnsteady, passed alone:\n${failureList(unsteady, process.cwd() + sep)}`);
  if (failed.length > 0) console.log(`\nFailed:\n${failureList(failed, process.cwd() + sep)}`);
  if (failedAgain.length > 0) console.log(`\nFailed again, alone:\n${failureList(failedAgain, process.cwd() + sep)}`);
  console.log(`\n${failure ? `FAILED at ${failure}` : 'All steps passed'} (${seconds(startedAt)})`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return failure === null;
}

async function prepareBrowserEnv(dataDir: string, stop: AbortSignal): Promise<Record<string, string>> {
  const browser = await ensureBrowser(stop);
  const [port, sandboxPort, simulatorPort] = await freePorts(3);
  return {
    CHROME_PATH: browser,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SIMULATOR_PORT: String(simulatorPort),
  };
}

/** As root the database is not in the folder. After Ctrl-C the server may still be stopping, which takes up to 15 s. */
async function removeData(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const deadline = Date.now() + 20_000;
  while (!(await removeEmbeddedPostgres(dataDir, 'full')) && Date.now() < deadline) await sleep(200);
  await rm(dataDir, { recursive: true, force: true });
}

/** Shows whether a step waits or is limited by the machine. Counts all processes, also those of PostgreSQL. */
function measureCores(): () => string {
  const look = () => {
    const times = cpus().map(({ times }) => times);
    const idle = times.reduce((sum, time) => sum + time.idle, 0);
    return { idle, all: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.irq, idle) };
  };
  const before = look();
  return () => {
    const now = look();
    const busy = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all);
    return `${(busy * cpus().length).toFixed(2)} of ${cpus().length} cores busy`;
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
process.exitCode = (await main(stopSignal())) ? 0 : 1;
