import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A lock between programs that cannot become stale, because the kernel releases it when the holder ends for any reason.
 * Node has no such lock, but SQLite has one on an empty file. Nothing is ever stored in the file.
 */
export interface FileLock {
  release(): void;
}

const begin = {
  exclusive: 'BEGIN EXCLUSIVE',
  // Any read takes SQLite's shared lock, and the open transaction holds it.
  shared: 'BEGIN; SELECT count(*) FROM sqlite_schema',
} as const;

export type LockMode = keyof typeof begin;

/** Null when another program, or another part of this program, holds a conflicting lock. */
export function tryLock(path: string, mode: LockMode): FileLock | null {
  // SQLite must not wait, because it would block the event loop.
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec(begin[mode]);
  } catch (error) {
    file.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => file.isOpen && file.close() };
}

export async function lock(path: string, mode: LockMode, limitMs: number): Promise<FileLock> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const held = tryLock(path, mode);
    if (held) return held;
    if (Date.now() > deadline) throw new Error(`Another program has held ${path} for over ${limitMs / 1000} s.`);
    await sleep(50);
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
