import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { type Part, startPart } from './parts.ts';
import { freePorts } from './ports.ts';
import { startStreetServer } from './street-tiles.ts';

const programOf = (app: string) => fileURLToPath(new URL(`../../apps/${app}/src/main.ts`, import.meta.url));
/** Cars arrive only when a test plugs them in, and simulated time runs 20 times faster. */
const otherParts = [['sandbox'], ['simulator', '--no-traffic', '--speed', '20']] as const;
/** The first start creates the database, which takes long on a busy machine. */
const readyLimitMs = 120_000;

export interface Product {
  url: string;
  sandbox: string;
  simulator: string;
  stop(): Promise<void>;
}

/**
 * Starts the product for all tests and returns the function that stops it. With FPAY_URL set, tests use that running
 * demo instead.
 */
export async function startStack(settings: NodeJS.ProcessEnv = {}): Promise<() => Promise<void>> {
  if (process.env.FPAY_URL) return async () => {};
  const streets = await startStreetServer();
  const { url, sandbox, simulator, stop } = await startProduct({
    ...process.env,
    ...settings,
    MAP_TILES_KIND: 'mvt',
    MAP_TILES_URL: streets.url,
  });
  process.env.FPAY_URL = url;
  process.env.SANDBOX_URL = sandbox;
  process.env.SIMULATOR_URL = simulator;
  process.env.STREETS_URL = streets.url;
  return async () => {
    await stop();
    await streets.stop();
  };
}

/** Starts the real product with sandbox and simulator, with its own ports and database unless they are set. */
export async function startProduct(settings: NodeJS.ProcessEnv): Promise<Product> {
  const [port = 0, sandboxPort, simulatorPort] = await freePorts(3);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SIMULATOR_PORT: String(simulatorPort),
    // Tests call no public tile server.
    MAP_TILES_KIND: 'offline',
    ...settings,
    // The demo's own bot is in the sandbox; the drivers of a real network are sent to Telegram.
    BOT_URL: 'https://t.me/fpay_bot',
    // A station that lost its connection is shown as offline after three pings: half a minute instead of one and a half.
    OCPP_PING_SECONDS: '10',
    // Two minutes of real time: the simulator counts the interval in its own time, and the 412 charge points of the full network would send 69 a second.
    OCPP_HEARTBEAT_SECONDS: '2400',
    // What does not fit is listed for staff as soon as the charge has ended, instead of ten minutes later.
    SETTLED_MINUTES: '0',
    // Each test has its own client address, see `test.ts`.
    TRUST_PROXY: '127.0.0.1,::1',
    LOG_LEVEL: 'warn',
  };
  // In the tests it is the simulator's own page; a simulator reads it as the address of the central system.
  delete env.SIMULATOR_URL;
  const ownDataDir = settings.DATA_DIR ? null : await mkdtemp(join(tmpdir(), 'fpay-e2e-'));
  if (ownDataDir) env.DATA_DIR = ownDataDir;

  const log: string[] = [];
  const onLine = (line: string) => log.push(line);
  const part = startPart({ name: 'server', args: [programOf('server'), '--demo'], env, onLine });
  const others: Part[] = [];
  const stop = async () => {
    await Promise.all(others.map((other) => other.stop()));
    await part.stop();
    if (!ownDataDir) return;
    await removeEmbeddedPostgres(ownDataDir, 'full');
    await rm(ownDataDir, { recursive: true, force: true });
  };

  const url = `http://localhost:${env.PORT}`;
  const ended = part.ended.then((how) => Promise.reject(new Error(how)));
  try {
    await Promise.race([ready(url), ended]);
  } catch (error) {
    await stop();
    throw new Error(`The product did not start:\n${log.join('\n')}`, { cause: error });
  }
  ended.catch(() => undefined);
  for (const [app, ...args] of otherParts)
    others.push(startPart({ name: app, args: [programOf(app), ...args], env, onLine }));
  const [sandbox, simulator] = [env.SANDBOX_PORT, env.SIMULATOR_PORT].map((port) => `http://127.0.0.1:${port}`);
  // A test that starts earlier would have no SMS service.
  await answers(sandbox);
  return { url, sandbox: sandbox ?? '', simulator: simulator ?? '', stop };
}

async function answers(url = ''): Promise<void> {
  const limit = Date.now() + readyLimitMs;
  while (!(await fetch(url).catch(() => null))) {
    if (Date.now() > limit) throw new Error(`${url} does not answer within ${readyLimitMs / 1000} s`);
    await sleep(100);
  }
}

async function ready(url: string): Promise<void> {
  const limit = Date.now() + readyLimitMs;
  while (Date.now() < limit) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`Not ready within ${readyLimitMs / 1000} s`);
}
