import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dataOf } from './cluster.ts';
import { type FileLock, lock, tryLock } from './file-lock.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import { type Durability, type Place, prepareHome, startingLock, usingLock } from './place.ts';
import { findPostmaster, sendSignal, stopPostmaster } from './postmaster.ts';

interface Use {
  place: Place;
  using: FileLock;
  atExit: AtExit;
  log: Log;
  limits: Limits;
}

/** The `stop` of one program's use: the last user ends PostgreSQL, the others only leave. Calling it again waits for the same end. */
export function stopWhenLast({ place, using, atExit, log, limits }: Use): () => Promise<void> {
  const stop = async () => {
    // The data directory may have been removed meanwhile; PostgreSQL must end all the same.
    await mkdir(place.home, { recursive: true });
    const starting = await lock(startingLock(place), 'exclusive', limits.lockMs);
    try {
      using.release();
      atExit.cancel();
      const isStopped = await stopIfUnused(place, limits);
      if (!isStopped) log.info('another program still uses the embedded database: it keeps running');
    } finally {
      starting.release();
    }
  };
  let stopping: Promise<void> | null = null;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

export interface AtExit {
  cancel(): void;
}

/** A program that ends without `stop` (an uncaught error) still sends PostgreSQL home; it cannot wait for it any more. */
export function stopAtExit(place: Place, held: FileLock[]): AtExit {
  const sendHome = () => {
    for (const lock of held) lock.release();
    // The data directory may have been removed meanwhile.
    if (!existsSync(place.home) || !tryLock(startingLock(place), 'exclusive') || isInUse(place)) return;
    const postmaster = findPostmaster(dataOf(place));
    if (postmaster) sendSignal(postmaster.pid, 'SIGINT');
  };
  process.once('exit', sendHome);
  return { cancel: () => process.off('exit', sendHome) };
}

/** False when another program uses it. Only under the starting lock, so nobody can begin to meanwhile. */
export async function stopIfUnused(place: Place, limits: Limits): Promise<boolean> {
  if (isInUse(place)) return false;
  await stopPostmaster(dataOf(place), limits.stopMs);
  return true;
}

/** Whether any program uses it now. Lasting only under the starting lock. */
export function isInUse(place: Place): boolean {
  const alone = tryLock(usingLock(place), 'exclusive');
  alone?.release();
  return alone === null;
}

/** Ends what a killed program left running, if it did and nobody else uses it. */
export async function stopLeftBehind(dataDir: string): Promise<void> {
  const place = await prepareHome(dataDir, 'full');
  await whenUnused(place, async () => {});
}

/** Ends a cluster that nobody uses and removes its files; false when somebody does. For clusters of tests. */
export async function removeEmbeddedPostgres(dataDir: string, durability: Durability): Promise<boolean> {
  const place = await prepareHome(dataDir, durability);
  return whenUnused(place, async () => {
    await rm(place.dir, { recursive: true, force: true });
    await rm(place.home, { recursive: true, force: true });
  });
}

/** Stops PostgreSQL and does what is to be done while it is away; false when somebody uses it or is about to. */
async function whenUnused(place: Place, work: () => Promise<void>): Promise<boolean> {
  const starting = tryLock(startingLock(place), 'exclusive');
  if (!starting) return false;
  try {
    if (!(await stopIfUnused(place, defaultLimits))) return false;
    await work();
    return true;
  } finally {
    starting.release();
  }
}
