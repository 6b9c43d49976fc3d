import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isCode } from './system-error.ts';

/**
 * Where the cluster's files are and which account runs it. PostgreSQL refuses to run as root, and the account that runs
 * it instead must be able to enter every folder above its files, which is impossible below /root. Therefore root's
 * clusters are stored elsewhere.
 */
export interface ClusterPlace {
  /** Our own folder in the data directory, with the note and the locks. */
  home: string;
  /** The cluster's folder; the same as `home` for an ordinary user, except in tests. */
  dir: string;
  /** Null when PostgreSQL runs under our own account. */
  runAs: Account | null;
}

export interface Account {
  uid: number;
  gid: number;
}

/** The folder for root's clusters and binaries. It is not a temporary folder, because systems clean those. */
export const systemDir = '/var/lib/fpay';

/**
 * The folder for test clusters where the system has a file system in memory. Each test file clones a database of some
 * 700 files: in 20 ms there, but in up to 400 ms on ext4, which skips the inodes of files removed in the last minute.
 */
const memoryDir = `/dev/shm/fpay-${process.getuid?.() ?? 0}`;
/** A container may have 64 MB there, which is not enough. */
const enoughMemory = 8 * 2 ** 30;

/** Where our clusters of tests may be, outside their data directories. */
export const testDirs: readonly string[] = process.getuid?.() === 0 ? [memoryDir, systemDir] : [memoryDir];

/** The unprivileged account of Linux, 65534. We create no system user, because a numeric id is enough to own files. */
const withoutRights: Account = { uid: 65534, gid: 65534 };

export type Durability = 'full' | 'test';

/**
 * Creates our folder in the data directory. A folder of another owner is refused, because that owner could replace the
 * database.
 */
export async function prepareHome(dataDir: string, durability: Durability): Promise<ClusterPlace> {
  const absolute = resolve(dataDir);
  await mkdir(join(absolute, 'postgres'), { recursive: true, mode: 0o700 });
  const place = await placeOf(absolute, durability);
  await assertAccount(place.home, null);
  await chmod(place.home, 0o700);
  return place;
}

/**
 * Creates the cluster's folder, or refuses a folder of another owner. The folder stays ours and only the data below it
 * belongs to the account that runs PostgreSQL, because another process of that account must not be able to create links
 * where we write as root.
 */
export async function prepareDir({ home, dir }: ClusterPlace): Promise<void> {
  if (dir === home) return;
  await prepareOwnDir(dirname(dir));
  await mkdir(dir, { recursive: true });
  await assertAccount(dir, null);
  await chmod(dir, 0o711);
  // The folder's name is a hash; this file shows people, and the cleanup of test clusters, which data directory it
  // belongs to.
  await writeFile(join(dir, 'home'), `${home}\n`);
}

/** The data directory must exist. A test cluster has a different name, so that leftovers can be removed safely. */
export async function placeOf(dataDir: string, durability: Durability): Promise<ClusterPlace> {
  const real = await realpath(dataDir);
  const home = join(real, 'postgres');
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const runAs = process.getuid?.() === 0 ? withoutRights : null;
  if (durability === 'test' && (await hasMemoryDir())) return { home, dir: join(memoryDir, `test-${hash}`), runAs };
  if (!runAs) return { home, dir: home, runAs };
  return { home, dir: join(systemDir, durability === 'test' ? `test-${hash}` : hash), runAs };
}

/** Judged by the size and not by what is free, because the answer must stay the same until the cluster is removed. */
async function hasMemoryDir(): Promise<boolean> {
  const { blocks, bsize } = await statfs(dirname(memoryDir)).catch(() => ({ blocks: 0, bsize: 0 }));
  return blocks * bsize >= enoughMemory;
}

/**
 * Creates `/var/lib/fpay`, which others may enter and read because it contains the binaries, but only root may change.
 */
export const prepareSystemDir = (): Promise<void> => prepareOwnDir(systemDir);

async function prepareOwnDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await assertAccount(dir, null);
  await chmod(dir, 0o755);
}

/** A null account means our own. */
export async function assertAccount(dir: string, account: Account | null): Promise<void> {
  await assertOwner(dir, account?.uid ?? process.getuid?.() ?? 0);
}

async function assertOwner(dir: string, uid: number): Promise<void> {
  const owner = await ownerOf(dir);
  if (owner === uid) return;
  throw new Error(
    `${dir} is not a folder of user ${uid} (its owner is ${owner ?? 'unknown'}), so the database is not started there.`,
  );
}

/** Null when the path does not exist. A link or a file has no owner that we accept. */
async function ownerOf(dir: string): Promise<number | 'not a folder' | null> {
  try {
    const stats = await lstat(dir);
    return stats.isDirectory() ? stats.uid : 'not a folder';
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** One program holds this lock while it starts or stops PostgreSQL. */
export const startingLock = ({ home }: ClusterPlace) => join(home, 'starting.lock');
/** Every program that uses PostgreSQL holds this lock. */
export const usingLock = ({ home }: ClusterPlace) => join(home, 'using.lock');
