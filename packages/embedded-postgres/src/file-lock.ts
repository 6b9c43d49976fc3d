import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A lock between programs that cannot go stale: the kernel drops it when its holder ends, however it ends.
 * Node offers no such lock of its own; SQLite does, on an empty file. Nothing is ever stored in it.
 */
export interface FileLock {
  release(): void;
}

const begin = {
  exclusive: 'BEGIN EXCLUSIVE',
  // Any read takes SQLite's shared lock, and the open transaction keeps it.
  shared: 'BEGIN; SELECT count(*) FROM sqlite_schema',
} as const;

export type LockMode = keyof typeof begin;

/** Null when another program (or another part of this one) is in the way. */
export function tryLock(path: string, mode: LockMode): FileLock | null {
  // No waiting inside SQLite: it would block the whole event loop.
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
