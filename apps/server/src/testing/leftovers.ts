import { access, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lock } from '@fpay/embedded-postgres/file-lock';
import { testDirs } from '@fpay/embedded-postgres/place';
import { stopPostmaster } from '@fpay/embedded-postgres/postmaster';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';

/**
 * Removes what killed test runs left: files, and a PostgreSQL that still runs. Live runs hold a lock and are not
 * touched; a run that is just beginning holds none yet, so the youngest folders are skipped.
 */
export async function sweepLeftovers(runsDir: string, youngestMs = 60_000): Promise<void> {
  await oneAtATime(runsDir, async () => {
    for (const name of await namesIn(runsDir)) {
      const dataDir = join(runsDir, name);
      const { birthtimeMs } = await stat(dataDir);
      if (Date.now() - birthtimeMs >= youngestMs) await remove(dataDir);
    }
    await sweepRemovedClones();
  });
}

/** The files of a run that has stopped its PostgreSQL. */
export async function removeRun(dataDir: string): Promise<void> {
  await oneAtATime(dirname(dataDir), () => remove(dataDir));
}

async function remove(dataDir: string): Promise<void> {
  const isRemoved = await removeEmbeddedPostgres(dataDir, 'test');
  if (isRemoved) await rm(dataDir, { recursive: true, force: true });
}

/** Two runs that remove the same folder would fail. */
async function oneAtATime(runsDir: string, work: () => Promise<void>): Promise<void> {
  const removing = await lock(`${runsDir}.lock`, 'exclusive', 60_000);
  try {
    await work();
  } finally {
    removing.release();
  }
}

/** Test clusters may be outside the clone, so they remain when the clone is removed after its tests were killed. */
async function sweepRemovedClones(): Promise<void> {
  for (const parent of testDirs) {
    for (const name of await namesIn(parent)) {
      if (!name.startsWith('test-')) continue;
      const dir = join(parent, name);
      const home = await readFile(join(dir, 'home'), 'utf8').catch(() => null);
      // The file that names its clone does not exist yet, because the cluster is just being created.
      if (home === null || (await exists(home.trim()))) continue;
      await stopPostmaster(join(dir, 'data'), 10_000);
      await rm(dir, { recursive: true, force: true });
    }
  }
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
