import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopLeftBehind } from '@fpay/embedded-postgres/stop';
import { type Part, type PartOptions, startPart } from '../e2e/support/parts.ts';
import { forbiddenPorts, isFree } from '../e2e/support/ports.ts';
import { type LogFile, openLogFile } from './demo/log-file.ts';
import { createStepList, type StepList } from './demo/steps.ts';
import { networkAddress, welcomeText } from './demo/welcome.ts';
import { isWarning, messageOf, readable } from './readable-log.ts';
import { stopSignal } from './stop-signal.ts';
import { buildWeb } from './web-build.ts';

/** The demo: everything embedded, one command. It ends with Ctrl-C, or when one of its parts ends. */
const root = fileURLToPath(new URL('..', import.meta.url));

/** Some parts of a first start take long on a slow machine: creating the database, a year of demo history. */
const readyLimitMs = 300_000;

/**
 * The server with 400 charge points needs 70 MB of live objects. V8 would let its young generation grow to 128 MB on
 * top; with this limit the process stays below 250 MB, and short-lived objects still fit.
 */
const serverFlags = ['--max-semi-space-size=4'];

/** The C library would keep freed memory for each thread; as in the Dockerfile and the systemd unit. */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

interface PartPlan {
  name: string;
  /** What the part is to a reader of the step list. */
  title: string;
  file: string;
  flags: string[];
  args: string[];
  host: string;
  port: number;
  variable: string;
}

interface Running {
  plans: PartPlan[];
  env: NodeJS.ProcessEnv;
  log: LogFile;
  steps: StepList;
}

class Problem extends Error {}

async function main(stop: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const isForPhones = readArguments(process.argv.slice(2));
  const env = isForPhones ? openToPhones(process.env) : process.env;
  const plans = readPlans(env).filter(({ file }) => existsSync(join(root, file)));
  await refuseTakenPorts(plans);
  const dataDir = resolve(env.DATA_DIR || '.data');
  const log = openLogFile(join(dataDir, 'demo.log'));
  const steps = createStepList(process.stdout);
  console.log('\nFPay demo: everything embedded, nothing to set up.\n');
  steps.begin('web app');
  steps.end(`web app: ${await buildWeb(stop, (line) => log.write(`web | ${line}`))}`);

  const parts: Part[] = [];
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done(), { once: true }));
  const ends: Promise<never>[] = [];
  const over = new AbortController();
  const waiting = AbortSignal.any([stop, over.signal]);
  try {
    // The parts start one after another, because on a small machine the server is ready sooner when it does not share
    // the CPU. The sandbox is first, because the server calls its bot at once.
    for (const plan of plans) {
      steps.begin(plan.title);
      const part = startPart(describe(plan, { plans, env, log, steps }));
      parts.push(part);
      ends.push(part.ended.then((how) => Promise.reject(new Problem(endOf(how, log)))));
      await Promise.race([ready(plan, waiting), stopped, ...ends]);
      if (stop.aborted) return;
      steps.end(plan.title);
    }
    const [sandbox = '', server = '', simulator = ''] = plans.map(addressOf);
    const text = welcomeText({
      app: isForPhones ? (env.PUBLIC_URL ?? server) : server.replace('127.0.0.1', 'localhost'),
      ...{ sandbox, simulator, isForPhones, dataDir },
      hasNetwork: env.DEMO_NETWORK !== 'none',
      logPath: log.path,
      hasColours: Boolean(process.stdout.isTTY) && !env.NO_COLOR,
      readySeconds: (performance.now() - startedAt) / 1000,
    });
    console.log(text);
    await Promise.race([stopped, ...ends]);
  } finally {
    steps.clear();
    over.abort();
    await stopAll(parts);
    log.close();
    // A server that was killed could not stop its database.
    if (existsSync(join(dataDir, 'postgres'))) await stopLeftBehind(dataDir);
  }
}

/** True for `--phone`: phones of the same network may open the app. */
function readArguments(words: string[]): boolean {
  const unknown = words.find((word) => word !== '--phone');
  if (unknown !== undefined) throw new Problem(`${unknown}: unknown option. There is one: npm start -- --phone`);
  return words.includes('--phone');
}

/** Only the app is opened to the network: the sandbox and the simulator obey every caller, so they stay on loopback. */
function openToPhones(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const address = networkAddress();
  if (address === null) throw new Problem('--phone: this computer has no address in a home or office network.');
  const port = portOf('PORT', env.PORT, 8080);
  return { ...env, HOST: '0.0.0.0', PUBLIC_URL: env.PUBLIC_URL || `http://${address}:${port}` };
}

function endOf(how: string, log: LogFile): string {
  return [`${how}. The end of ${log.path}:`, '', ...log.latest()].join('\n');
}

function describe({ name, file, flags, args }: PartPlan, { plans, env, log, steps }: Running): PartOptions {
  const ports = plans.map(({ variable, port }) => [variable, String(port)]);
  const width = Math.max(...plans.map((plan) => plan.name.length));
  return {
    name,
    args: [...flags, join(root, file), ...args],
    env: { ...allocator, ...env, ...Object.fromEntries(ports) },
    onLine(line) {
      const text = `${name.padEnd(width)} | ${readable(line)}`;
      log.write(text);
      if (isWarning(line)) steps.note(text);
      const message = messageOf(line);
      const step = name === 'server' && message !== null ? serverSteps[message] : undefined;
      if (step) {
        steps.end(step.done);
        steps.begin(step.next);
      }
    },
  };
}

/** Messages of the server's start that end a step, and the step that follows. */
const serverSteps: Record<string, { done: string; next: string }> = {
  'database ready': { done: 'database', next: 'tables' },
  'tables ready': { done: 'tables', next: 'demo network: stations, a year of charges' },
  'demo data ready': { done: 'demo network: stations, a year of charges', next: 'server' },
};

/** In the order in which they start. A part whose folder is missing is left out. */
function readPlans(env: NodeJS.ProcessEnv): PartPlan[] {
  const plan = (name: string, variable: string, usualPort: number) => ({
    name,
    variable,
    title: name,
    file: `apps/${name}/src/main.ts`,
    flags: [],
    args: [],
    host: '127.0.0.1',
    port: portOf(variable, env[variable], usualPort),
  });
  return [
    { ...plan('sandbox', 'SANDBOX_PORT', 8090), title: 'sandbox: bank, SMS, Telegram' },
    { ...plan('server', 'PORT', 8080), flags: serverFlags, args: ['--demo'], host: env.HOST || '127.0.0.1' },
    { ...plan('simulator', 'SIMULATOR_PORT', 8091), title: 'simulator: charge points and cars' },
  ];
}

function portOf(variable: string, text: string | undefined, usual: number): number {
  const port = Number(text || usual);
  if (!Number.isInteger(port) || port <= 0 || port >= 65536) {
    throw new Problem(`${variable}: ${text} is not a port number.`);
  }
  if (forbiddenPorts.has(port)) {
    throw new Problem(
      `${variable}: browsers refuse to open port ${port}. Choose another one, for example ${variable}=${port + 100}.`,
    );
  }
  return port;
}

async function refuseTakenPorts(plans: PartPlan[]): Promise<void> {
  for (const { name, variable, host, port } of plans) {
    if (await isFree(port, host)) continue;
    throw new Problem(
      `Port ${port}, meant for the ${name}, is taken by another program. ` +
        `Stop that program, or choose another port: ${variable}=${port + 100} npm start` +
        ' (a second copy beside this one also needs its own DATA_DIR).',
    );
  }
}

/** The server has a readiness endpoint; the others are ready when they answer. */
async function ready(plan: PartPlan, waiting: AbortSignal): Promise<void> {
  const isServer = plan.variable === 'PORT';
  const limit = AbortSignal.timeout(readyLimitMs);
  while (!waiting.aborted) {
    const question = fetch(`${addressOf(plan)}${isServer ? '/readyz' : '/'}`, { signal: AbortSignal.timeout(2_000) });
    const answer = await question.catch(() => null);
    if (answer?.ok || (answer && !isServer)) return;
    if (limit.aborted) throw new Problem(`The ${plan.name} was not ready within ${readyLimitMs / 1000} s.`);
    await sleep(50);
  }
}

function addressOf({ host, port }: PartPlan): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The server stops first, because requests that it finishes may still need the others. */
async function stopAll(parts: Part[]): Promise<void> {
  await parts.find(({ name }) => name === 'server')?.stop();
  await Promise.all(parts.filter(({ name }) => name !== 'server').map((part) => part.stop()));
}

const stop = stopSignal();
process.chdir(root);
try {
  await main(stop);
} catch (error) {
  if (!stop.aborted) {
    console.error(error instanceof Problem ? error.message : error);
    process.exitCode = 1;
  }
}
