import { execFile } from 'node:child_process';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asAccount, type Cluster, dataOf } from './cluster.ts';

/**
 * Creates an empty cluster. The directory gets its final name only when it is complete, so a program killed here starts
 * over.
 */
export async function createData(cluster: Cluster, password: string): Promise<void> {
  const { place, durability } = cluster;
  const fresh = `${dataOf(place)}.new`;
  const passwordFile = join(place.dir, 'initdb-password');
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (place.runAs) {
    await chown(fresh, place.runAs.uid, place.runAs.gid);
    await chown(passwordFile, place.runAs.uid, place.runAs.gid);
  }
  try {
    await initdb(cluster, [
      `--pgdata=${fresh}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // PostgreSQL's own collation sorts text the same on every machine, regardless of the system's libraries.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durability === 'test' ? ['--no-sync'] : []),
    ]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(fresh, dataOf(place));
}

async function initdb({ place, binaries }: Cluster, args: string[]): Promise<void> {
  const command = [join(binaries.dir, 'bin', 'initdb'), ...args];
  // initdb requires a name for its user, which a numeric user id of a container does not have; PostgreSQL itself does
  // not require one. For this one call we therefore use a user namespace in which our id has a name.
  const needsName = !place.runAs && !hasName();
  const [file = '', ...rest] = needsName ? ['unshare', '--map-user=65534', '--map-group=65534', ...command] : command;
  try {
    await promisify(execFile)(file, rest, { ...asAccount(place), timeout: 120_000 });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    const hint = needsName ? `User ${process.getuid?.()} has no name on this system, which PostgreSQL wants. ` : '';
    throw new Error(`The database could not be created in ${place.dir}. ${hint}${output}`.trim(), { cause: error });
  }
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
