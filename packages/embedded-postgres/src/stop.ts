import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dataOf } from './cluster.ts';
import { type FileLock, lock, tryLock } from './file-lock.ts';
import { defaultStartLimits, type StartLimits } from './limits.ts';
import type { ClusterLog } from './log.ts';
import { type ClusterPlace, type Durability, prepareHome, startingLock, usingLock } from './place.ts';
import { findPostmaster, sendSignal, stopPostmaster } from './postmaster.ts';

interface Use {
  place: ClusterPlace;
  using: FileLock;
  atExit: AtExit;
  log: ClusterLog;
  limits: StartLimits;
}

/**
 * Returns the `stop` function of one program: the last user stops PostgreSQL, the others only release their lock. A
 * second call waits for the same result.
 */
export function stopWhenLast({ place, using, atExit, log, limits }: Use): () => Promise<void> {
  const stop = async () => {
    // The data directory may have been removed meanwhile; PostgreSQL must be stopped nevertheless.
    await mkdir(place.home, { recursive: true });
    const starting = await lock(startingLock(place), 'exclusive', limits.lockMs);
    try {
      using.release();
      atExit.cancel();
      const isStopped = await stopIfUnused(place, limits);
      if (!isStopped) log.info({ dir: place.dir }, 'embedded database left to another program');
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

/**
 * Sends PostgreSQL the signal to stop when a program exits without `stop`, for example after an uncaught error. A
 * process that exits cannot wait for the result.
 */
export function stopAtExit(place: ClusterPlace, held: FileLock[]): AtExit {
  const sendStop = () => {
    for (const lock of held) lock.release();
    // The data directory may have been removed meanwhile.
    if (!existsSync(place.home) || !tryLock(startingLock(place), 'exclusive') || isInUse(place)) return;
    const postmaster = findPostmaster(dataOf(place));
    if (postmaster) sendSignal(postmaster.pid, 'SIGINT');
  };
  process.once('exit', sendStop);
  return { cancel: () => process.off('exit', sendStop) };
}

/**
 * Returns false when another program uses it. The caller holds the starting lock, so no program can begin to use it
 * meanwhile.
 */
export async function stopIfUnused(place: ClusterPlace, limits: StartLimits): Promise<boolean> {
  if (isInUse(place)) return false;
  await stopPostmaster(dataOf(place), limits.stopMs);
  return true;
}

/** True when any program uses it now. The result stays valid only under the starting lock. */
export function isInUse(place: ClusterPlace): boolean {
  const alone = tryLock(usingLock(place), 'exclusive');
  alone?.release();
  return alone === null;
}

/** Stops a PostgreSQL that a killed program left running, unless another program uses it. */
export async function stopLeftBehind(dataDir: string): Promise<void> {
  const place = await prepareHome(dataDir, 'full');
  await whenUnused(place, async () => {});
}

/** Stops an unused cluster and removes its files. Returns false when a program uses it. For test clusters. */
export async function removeEmbeddedPostgres(dataDir: string, durability: Durability): Promise<boolean> {
  const place = await prepareHome(dataDir, durability);
  return whenUnused(place, async () => {
    await rm(place.dir, { recursive: true, force: true });
    await rm(place.home, { recursive: true, force: true });
  });
}

/** Stops PostgreSQL and runs `work` while it is stopped. Returns false when a program uses it or is starting it. */
async function whenUnused(place: ClusterPlace, work: () => Promise<void>): Promise<boolean> {
  const starting = tryLock(startingLock(place), 'exclusive');
  if (!starting) return false;
  try {
    if (!(await stopIfUnused(place, defaultStartLimits))) return false;
    await work();
    return true;
  } finally {
    starting.release();
  }
}
