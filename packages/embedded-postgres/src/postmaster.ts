import { execFileSync } from 'node:child_process';
import { constants, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCode } from './system-error.ts';

/** PostgreSQL's main process, as its pid file describes it. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** Null when no process runs there, even if a crash left a pid file. */
export function findPostmaster(data: string): Postmaster | null {
  const lines = readPidFile(data);
  const pid = Number(lines?.[0]);
  // Line 4 of the pid file is the port.
  const port = Number(lines?.[3]);
  if (!Number.isInteger(pid) || pid <= 1 || !isPostmasterOf(data, pid)) return null;
  return { pid, port };
}

/**
 * The number in a pid file may now belong to an unrelated process, which we would signal or which makes PostgreSQL
 * refuse to start. It is replaced by a number that no process has. The file stays, because PostgreSQL reads from it
 * whether a process of a crashed cluster still holds the shared memory.
 */
export async function disarmStalePidFile(data: string): Promise<void> {
  const lines = readPidFile(data);
  if (!lines || findPostmaster(data)) return;
  // As root we write into another account's folder, so we must not follow a link there.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(join(data, 'postmaster.pid'), [noProcess, ...lines.slice(1)].join('\n'), { flag });
}

/** Above the highest process id of every system. */
const noProcess = 2 ** 31 - 1;

/**
 * Ways to stop PostgreSQL, from the mildest to the hardest. All are safe; after the last two the next start recovers.
 */
const waysToStop = [
  'SIGINT', // "fast": aborts running transactions and writes everything to disk
  'SIGQUIT', // "immediate": aborts without writing
  'SIGKILL', // for a process that does not react to signals; its children notice and end
] as const;

export async function stopPostmaster(data: string, limitMs: number): Promise<void> {
  for (const signal of waysToStop) {
    const postmaster = findPostmaster(data);
    if (!postmaster) return;
    sendSignal(postmaster.pid, signal);
    if (await isGone(data, postmaster.pid, limitMs)) return;
  }
  throw new Error(`PostgreSQL in ${data} did not stop after SIGKILL.`);
}

/** False when it had ended already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
    throw error;
  }
}

async function isGone(data: string, pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isPostmasterOf(data, pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/**
 * PostgreSQL's working directory is its data directory; an unrelated process with the same id has another one. A zombie
 * process has none.
 */
function isPostmasterOf(data: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(`-D ${data}`);
  } catch {
    return false;
  }
}

/** Synchronous, because a process that is exiting cannot wait for promises. */
function readPidFile(data: string): string[] | null {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
