import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopLeftBehind } from '@fpay/embedded-postgres/stop';
import { demoAccounts, demoPassword } from '../apps/server/src/demo/accounts.ts';
import { type Part, type PartOptions, startPart } from './parts.ts';
import { forbiddenPorts, isFree } from './ports.ts';
import { readable } from './readable-log.ts';
import { stopSignal } from './stop-signal.ts';
import { buildWeb } from './web-build.ts';

/** The demo: everything embedded, one command. It ends with Ctrl-C, or when one of its parts ends. */
const root = fileURLToPath(new URL('..', import.meta.url));

/** Some parts of a first start take long on a slow machine: creating the database, a year of demo history. */
const readyLimitMs = 300_000;

interface PartPlan {
  name: string;
  file: string;
  args: string[];
  host: string;
  port: number;
  variable: string;
}

class Problem extends Error {}

async function main(stop: AbortSignal): Promise<void> {
  const plans = readPlans(process.env).filter(({ file }) => existsSync(join(root, file)));
  await refuseTakenPorts(plans);
  await buildWeb(stop);

  const parts: Part[] = [];
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done(), { once: true }));
  const ends: Promise<never>[] = [];
  const over = new AbortController();
  const waiting = AbortSignal.any([stop, over.signal]);
  try {
    // The parts start one after another, because on a small machine the server is ready sooner when it does not share
    // the CPU.
    for (const plan of plans) {
      const part = startPart(describe(plan, plans));
      parts.push(part);
      ends.push(part.ended.then((how) => Promise.reject(new Problem(`${how}.`))));
      await Promise.race([ready(plan, waiting), stopped, ...ends]);
      if (stop.aborted) return;
      if (plan === plans[0]) announce(plans);
    }
    await Promise.race([stopped, ...ends]);
  } finally {
    over.abort();
    await stopAll(parts);
    // A server that was killed could not stop its database.
    const dataDir = resolve(process.env.DATA_DIR || '.data');
    if (existsSync(join(dataDir, 'postgres'))) await stopLeftBehind(dataDir);
  }
}

function describe({ name, file, args }: PartPlan, plans: PartPlan[]): PartOptions {
  const ports = plans.map(({ variable, port }) => [variable, String(port)]);
  const width = Math.max(...plans.map((plan) => plan.name.length));
  return {
    name,
    args: [join(root, file), ...args],
    env: { ...process.env, ...Object.fromEntries(ports) },
    onLine: (line) => console.log(`${name.padEnd(width)} | ${readable(line)}`),
  };
}

/** The server comes first; each other part is started when its folder exists. */
function readPlans(env: NodeJS.ProcessEnv): PartPlan[] {
  const loopback = '127.0.0.1';
  const plan = (name: string, variable: string, usualPort: number) => ({
    name,
    variable,
    file: `apps/${name}/src/main.ts`,
    args: [],
    host: loopback,
    port: portOf(variable, env[variable], usualPort),
  });
  return [
    { ...plan('server', 'PORT', 8080), args: ['--demo'], host: env.HOST || loopback },
    plan('sandbox', 'SANDBOX_PORT', 8090),
    plan('simulator', 'SIMULATOR_PORT', 8091),
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

function announce(plans: PartPlan[]): void {
  const [server, ...others] = plans;
  if (!server) return;
  const lines = [
    '',
    `FPay is ready: ${addressOf(server).replace('127.0.0.1', 'localhost')}`,
    ...others.map((part) => `  ${part.name.padEnd(10)} ${addressOf(part)}`),
    '',
    `Demo accounts (password ${demoPassword}):`,
    ...demoAccounts.map(({ phone, role, note }) => `  ${phone}  ${role.padEnd(10)} ${note}`),
    '',
    `Data is kept in ${resolve(process.env.DATA_DIR || '.data')}. Ctrl-C stops everything.`,
    '',
  ];
  console.log(lines.join('\n'));
}

function addressOf({ host, port }: PartPlan): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The server stops first, because requests that it finishes may still need the others. */
async function stopAll([server, ...others]: Part[]): Promise<void> {
  await server?.stop();
  await Promise.all(others.map((part) => part.stop()));
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
