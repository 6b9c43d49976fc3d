import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { assertAccount, type ClusterPlace, type Durability } from './place.ts';
import { disarmStalePidFile } from './postmaster.ts';
import { writeSettings } from './settings.ts';
import { isCode } from './system-error.ts';

/** One PostgreSQL cluster on disk and the process that serves it. */
export interface Cluster {
  place: ClusterPlace;
  binaries: Binaries;
  durability: Durability;
}

export const dataOf = (place: ClusterPlace) => join(place.dir, 'data');
const logOf = (place: ClusterPlace) => join(place.dir, 'postgres.log');

/** False when no data directory exists yet. */
export async function hasData({ place, binaries }: Cluster): Promise<boolean> {
  const data = dataOf(place);
  const version = (await readOr(join(data, 'PG_VERSION'), null))?.trim();
  if (version === undefined) return false;
  await assertAccount(data, place.runAs);
  if (version === binaries.major) return true;
  throw new Error(
    `The database in ${data} was made by PostgreSQL ${version}; this version brings ${binaries.major}. ` +
      'Keep using the older version, or name another DATA_DIR.',
  );
}

/** A PostgreSQL process that is starting. */
export interface StartingPostgres {
  /** How the process ended; null while it runs. */
  end(): string | null;
  /**
   * Before this call, PostgreSQL ends with our process. Once PostgreSQL answers, it has a pid file by which the next
   * program finds it.
   */
  detach(): void;
}

/**
 * Starts PostgreSQL in its own session, so that Ctrl-C in our terminal reaches only us and requests can finish first.
 */
export async function spawnPostgres({ place, binaries, durability }: Cluster, port: number): Promise<StartingPostgres> {
  const data = dataOf(place);
  await disarmStalePidFile(data);
  const settings = await writeSettings(place.dir, port, durability);
  const log = await openLog(place);
  try {
    const child = spawn(join(binaries.dir, 'bin', 'postgres'), ['-D', data, ...settings], {
      ...asAccount(place),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    let end: string | null = null;
    child.once('exit', (code, signal) => {
      end = `ended with ${signal ?? code}`;
    });
    child.once('error', (error) => {
      end = error.message;
    });
    child.unref();
    const abandon = () => child.kill('SIGINT');
    process.once('exit', abandon);
    return { end: () => end, detach: () => process.off('exit', abandon) };
  } finally {
    await log.close();
  }
}

export async function lastLogLines(place: ClusterPlace): Promise<string> {
  const log = await readOr(logOf(place), '');
  return log.trimEnd().split('\n').slice(-8).join('\n');
}

/** Returns the preferred port when it is free, otherwise any free port. */
export async function freePort(wanted: number | null): Promise<number> {
  const port = (wanted && (await tryPort(wanted))) || (await tryPort(0));
  if (!port) throw new Error('No port is free for the embedded database.');
  return port;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (isCode(error, 'EADDRINUSE', 'EACCES') ? resolve(null) : reject(error)));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}

/**
 * The working directory is one that the account can enter. The environment has none of our settings and no PG*
 * variables of the user.
 */
export function asAccount({ dir, runAs }: ClusterPlace) {
  return { ...runAs, cwd: dir, env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' } };
}

/** The present log and the previous one are kept. */
async function openLog(place: ClusterPlace) {
  const file = logOf(place);
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > 10_000_000) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}

async function readOr<T>(file: string, fallback: T): Promise<string | T> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return fallback;
    throw error;
  }
}
