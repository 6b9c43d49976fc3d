import pg from 'pg';
import { bringUp } from './bring-up.ts';
import { lock } from './file-lock.ts';
import { defaultStartLimits, type StartLimits } from './limits.ts';
import type { ClusterLog } from './log.ts';
import { type Note, urlOf } from './note.ts';
import { type Durability, prepareHome, startingLock, usingLock } from './place.ts';
import { prepareDatabase, prepareRoles } from './roles.ts';
import { isInUse, stopAtExit, stopIfUnused, stopWhenLast } from './stop.ts';

/** A running PostgreSQL, empty or with its previous data. */
export interface EmbeddedPostgres {
  /** The role that runs migrations: it owns the database `fpay` and is no superuser. */
  ownerUrl: string;
  /** The product's role, which owns nothing. */
  appUrl: string;
  /** The superuser, on the database `postgres`. */
  adminUrl: string;
  /** Stops PostgreSQL, unless another program still uses it; the last program stops it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: ClusterLog;
  /** `test` is fast, and loses data in a power failure. */
  durability?: Durability;
  limits?: Partial<StartLimits>;
}

/**
 * Several programs may share one data directory, for example one process per role. The first program starts PostgreSQL
 * and the others connect to it. A program holds an exclusive lock while it starts or stops PostgreSQL, and a shared
 * lock while it uses it, so the last program knows that it is the last. The kernel releases both locks when the holder
 * ends, even by kill -9. PostgreSQL then keeps running and is taken over by the next start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durability = 'full' } = options;
  const limits = { ...defaultStartLimits, ...options.limits };
  const place = await prepareHome(dataDir, durability);
  const starting = await lock(startingLock(place), 'exclusive', limits.lockMs);
  try {
    const isShared = isInUse(place);
    // An exclusive holder of this lock also holds the starting lock, which is ours now, so this wait is short.
    const using = await lock(usingLock(place), 'shared', limits.lockMs);
    const atExit = stopAtExit(place, [starting, using]);
    try {
      const note = await bringUp({ place, durability, isShared, log, limits });
      const urls = {
        ownerUrl: urlOf(note, 'fpay_owner', 'fpay'),
        appUrl: urlOf(note, 'fpay_app', 'fpay'),
        adminUrl: urlOf(note, 'postgres', 'postgres'),
      };
      await prepareDatabases(urls.adminUrl, note.passwords);
      return { ...urls, stop: stopWhenLast({ place, using, atExit, log, limits }) };
    } catch (error) {
      using.release();
      atExit.cancel();
      await stopIfUnused(place, limits);
      throw error;
    }
  } finally {
    starting.release();
  }
}

async function prepareDatabases(adminUrl: string, passwords: Note['passwords']): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await prepareRoles(admin, passwords);
    await prepareDatabase(admin, 'fpay');
  } finally {
    await admin.end();
  }
}
