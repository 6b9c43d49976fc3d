import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isCode } from './system-error.ts';

/**
 * Where the cluster's files are and who runs it. PostgreSQL refuses root, and the account that runs it instead must be
 * able to reach every folder above its files: in a clone below /root it could not. So for root the files live apart.
 */
export interface Place {
  /** In the data directory, ours alone: the note, the locks. */
  home: string;
  /** The cluster's own folder; the same as `home` for an ordinary user. */
  dir: string;
  /** Null: PostgreSQL runs as we do. */
  runAs: Account | null;
}

export interface Account {
  uid: number;
  gid: number;
}

/** Where root's clusters and binaries live. Not a temporary folder: systems clean those. */
export const systemDir = '/var/lib/fpay';

/** "nobody" on Linux. No system user is created for us; the number alone is enough to own files. */
const nobody: Account = { uid: 65534, gid: 65534 };

export type Durability = 'full' | 'test';

/** Makes our folder in the data directory, or refuses someone else's: its owner could swap the database below us. */
export async function prepareHome(dataDir: string, durability: Durability): Promise<Place> {
  const absolute = resolve(dataDir);
  await mkdir(join(absolute, 'postgres'), { recursive: true, mode: 0o700 });
  const place = await placeOf(absolute, durability);
  await assertAccount(place.home, null);
  await chmod(place.home, 0o700);
  return place;
}

/**
 * Makes the cluster's folder, or refuses someone else's. It stays ours, and only the data below it belongs to the account
 * that runs PostgreSQL: whatever else runs as nobody must not be able to lay links where we, as root, write.
 */
export async function prepareDir({ home, dir, runAs }: Place): Promise<void> {
  if (!runAs) return;
  await prepareSystemDir();
  await mkdir(dir, { recursive: true });
  await assertOwner(dir, 0);
  await chmod(dir, 0o711);
  // The folder's name is a hash: this tells people, and the sweep of test clusters, whose it is.
  await writeFile(join(dir, 'home'), `${home}\n`);
}

/** The data directory must exist. A test's cluster has a name of its own, so that leftovers can be swept safely. */
export async function placeOf(dataDir: string, durability: Durability): Promise<Place> {
  const real = await realpath(dataDir);
  const home = join(real, 'postgres');
  if (process.getuid?.() !== 0) return { home, dir: home, runAs: null };
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  return { home, dir: join(systemDir, durability === 'test' ? `test-${hash}` : hash), runAs: nobody };
}

/** `/var/lib/fpay`, which others may enter and read (the binaries are there) but only root may change. */
export async function prepareSystemDir(): Promise<void> {
  await mkdir(systemDir, { recursive: true });
  await assertOwner(systemDir, 0);
  await chmod(systemDir, 0o755);
}

/** Null stands for ourselves. */
export async function assertAccount(dir: string, account: Account | null): Promise<void> {
  await assertOwner(dir, account?.uid ?? process.getuid?.() ?? 0);
}

async function assertOwner(dir: string, uid: number): Promise<void> {
  const owner = await ownerOf(dir);
  if (owner === uid) return;
  throw new Error(
    `${dir} is not a folder of user ${uid} (its owner is ${owner ?? 'nobody'}): the database is not started there.`,
  );
}

/** Null when there is nothing; a link or a file belongs to no owner we accept. */
async function ownerOf(dir: string): Promise<number | 'not a folder' | null> {
  try {
    const stats = await lstat(dir);
    return stats.isDirectory() ? stats.uid : 'not a folder';
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Held by one program while it starts or stops PostgreSQL. */
export const startingLock = ({ home }: Place) => join(home, 'starting.lock');
/** Held by every program that uses it. */
export const usingLock = ({ home }: Place) => join(home, 'using.lock');
