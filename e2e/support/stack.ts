import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '../../apps/server/src/platform/embedded-postgres/stop.ts';
import { startPart } from '../../scripts/parts.ts';
import { freePorts } from '../../scripts/ports.ts';

const server = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
/** The first start creates the database; on a busy machine that takes its time. */
const readyLimitMs = 120_000;

/**
 * Starts the real product, with a database of its own, for all tests; returns the way to stop it. With FPAY_URL set,
 * tests look at that demo instead.
 */
export default async function startStack(): Promise<() => Promise<void>> {
  if (process.env.FPAY_URL) return async () => {};
  const [port = 0, sandboxPort, simulatorPort] = await freePorts(3);
  const env: NodeJS.ProcessEnv = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SIMULATOR_PORT: String(simulatorPort),
    ...process.env,
    LOG_LEVEL: 'warn',
  };
  const ownDataDir = process.env.DATA_DIR ? null : await mkdtemp(join(tmpdir(), 'fpay-e2e-'));
  if (ownDataDir) env.DATA_DIR = ownDataDir;

  const log: string[] = [];
  const part = startPart({ name: 'server', args: [server, '--demo'], env, onLine: (line) => log.push(line) });
  const stop = async () => {
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
  process.env.FPAY_URL = url;
  return stop;
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
