import pg from 'pg';
import { bringUp } from './bring-up.ts';
import { lock } from './file-lock.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import { type Note, urlOf } from './note.ts';
import { type Durability, prepareHome, startingLock, usingLock } from './place.ts';
import { prepareDatabase, prepareRoles } from './roles.ts';
import { isInUse, stopAtExit, stopIfUnused, stopWhenLast } from './stop.ts';

/** A running PostgreSQL of our own, empty or with what was there before. */
export interface EmbeddedPostgres {
  /** Runs migrations: owns the database `fpay`, is no superuser. */
  ownerUrl: string;
  /** The product's role: owns nothing. */
  appUrl: string;
  /** The superuser, on the database `postgres`. */
  adminUrl: string;
  /** Ends PostgreSQL, unless another program still uses it: the last one does. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: Log;
  /** `test`: fast, and lost in a power cut. */
  durability?: Durability;
  limits?: Partial<Limits>;
}

/**
 * Several programs may share one data directory (a process per role is a plausible use): the first starts PostgreSQL,
 * the others find it running. Who starts or stops holds one lock alone; who uses it holds another together with the
 * rest, so the last to leave knows that it is the last. Both locks end with their holder, even by kill -9; PostgreSQL
 * itself does not, and is then taken over by the next start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durability = 'full' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const place = await prepareHome(dataDir, durability);
  const starting = await lock(startingLock(place), 'exclusive', limits.lockMs);
  try {
    const isShared = isInUse(place);
    // Held alone only by a program that holds the other lock as well, which is now ours.
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
