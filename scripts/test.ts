import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { freePorts } from '../e2e/support/ports.ts';
import { ensureBrowser } from './browser.ts';
import { changedFiles, relatedTo, specsFor } from './changed.ts';
import { type CommandOptions, command } from './command.ts';
import { stopSignal } from './stop-signal.ts';
import { type Reporter, readFailures } from './test-report.ts';
import { createTally, type Tally } from './test-tally.ts';
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
 * alone; those that pass then are listed as unsteady at the end. More of these five hundred are a fault of the product or
 * the tests.
 */
const mostRepeated = 6;

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

/** One file at a time. */
const alone = ({ exec, report }: Tools, files: readonly string[]) =>
  exec(['vitest', 'run', '--no-file-parallelism', ...reporters, `--outputFile.json=${report}`, ...files]);

/**
 * In full these measure real time with as many charges as two cores carry, or work for minutes on all cores: whatever runs
 * beside them would fail, or they would.
 */
const lonely = [
  'apps/server/src/charging/limit/device-limit.test.ts',
  'apps/server/src/charging/limit/limit-accuracy.test.ts',
  'scripts/changes.test.ts',
];

const allButLonely: Step[] = [
  {
    name: 'tests',
    run: ({ exec, report }) => {
      const without = runsAll ? lonely.map((file) => `--exclude=${file}`) : [];
      return exec(['vitest', 'run', ...reporters, `--outputFile.json=${report}`, ...without]);
    },
    counts: 'vitest',
    repeat: alone,
  },
  ...(runsAll
    ? [
        {
          name: 'tests that need the machine',
          run: (tools) => alone(tools, lonely),
          counts: 'vitest',
          repeat: alone,
        } satisfies Step,
      ]
    : []),
];

/** The stages of `npm test` in their order; the first failure ends it. */
const everything: Step[] = [
  ...checks,
  ...allButLonely,
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

/** Returns why the stage failed, or null. A few failed files are tried again, alone. */
async function runStep(step: Step, tools: Tools, tally: Tally): Promise<string | null> {
  const { name, run, counts, repeat } = step;
  const problem = await run(tools).then(() => null, messageOf);
  if (!counts) return problem;
  const { count, notPassed, files } = await tally.read(counts, tools.report);
  let outcome = problem;
  if (problem && repeat && files.length > 0 && files.length <= mostRepeated) {
    console.log(`\n=== ${name}: ${problem}; again, alone: ${files.join(', ')}`);
    const again = { ...tools, report: `${tools.report}.again.json` };
    outcome = await repeat(again, files).then(() => null, messageOf);
    tally.addRepeated(await readFailures(counts, again.report));
  }
  tally.add(count, notPassed, outcome !== null);
  return outcome;
}

async function main(stop: AbortSignal): Promise<boolean> {
  const dir = await mkdtemp(join(tmpdir(), 'fpay-npm-test-'));
  const dataDir = join(dir, 'data');
  // Each of the hundreds of processes loads the same modules; only the first compiles them.
  const compileCache = { NODE_COMPILE_CACHE: join(dir, 'compiled') };
  const settings = runsAll ? { ...compileCache, TEST_ALL: '1' } : compileCache;
  const tally = createTally();
  const startedAt = Date.now();
  let failure: string | null = null;
  try {
    const browserEnv = await prepareBrowserEnv(dataDir, stop);
    const steps = process.argv.includes('--changed') ? ofChange() : everything;
    const exec: Tools['exec'] = (argv, { env, ...options } = {}) =>
      command(argv, { ...options, env: { ...settings, ...env }, stop });
    for (const [index, step] of steps.entries()) {
      const stepStartedAt = Date.now();
      const coresBusy = measureCores();
      console.log(`\n=== ${index + 1}/${steps.length} ${step.name}`);
      const tools = { exec, report: join(dir, `report-${index}.json`), browserEnv };
      const problem = await runStep(step, tools, tally);
      console.log(`=== ${step.name}: ${problem ?? 'ok'} (${seconds(stepStartedAt)}, ${coresBusy()})`);
      if (problem) {
        failure = `${step.name}: ${problem}`;
        break;
      }
    }
  } catch (error) {
    failure = messageOf(error);
  } finally {
    await removeData(dataDir);
    await rm(dir, { recursive: true, force: true });
  }
  tally.print(failure, seconds(startedAt));
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
