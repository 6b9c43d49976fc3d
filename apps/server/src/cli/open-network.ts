import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { migrate } from '../platform/migrate.ts';
import { createSteps, type Steps } from '../platform/step.ts';

export interface OpenNetwork {
  db: Database;
  steps: Steps;
  clock: typeof systemClock;
  secret: string;
}

/** For a command that also makes or checks charge-point keys. */
export async function withNetwork<T>(
  environment: NodeJS.ProcessEnv,
  work: (network: OpenNetwork) => Promise<T>,
): Promise<T> {
  refuseStraySecret(environment);
  return withDatabase(environment, (db, { secret }) =>
    // Servers sweep the outbox once a second, so nobody needs waking.
    work({ db, steps: createSteps(db, () => {}), clock: systemClock, secret }),
  );
}

/**
 * The network's database for a command: the one of `DATABASE_URL`, or the embedded one, which a server that runs on the
 * same data directory shares with us. Closed again whatever happens.
 */
export async function withDatabase<T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment, { mode: 'demo', roles: [] });
  const { url, close: stopDatabase } = await reach(config);
  // The pool of a command is small: it does one thing after another.
  const { db, close } = openDatabase({ url, poolSize: 2 });
  try {
    return await work(db, config);
  } finally {
    await close();
    await stopDatabase();
  }
}

/** Keys are hashed with the server's secret. One made up here would let no device in, and nobody would know why. */
function refuseStraySecret(environment: NodeJS.ProcessEnv): void {
  const secretFile = join(resolve(environment.DATA_DIR || '.data'), 'secret');
  if (environment.DATABASE_URL && !environment.SECRET && !existsSync(secretFile)) {
    throw new ConfigError(['SECRET: must be the same as the server has']);
  }
}

async function reach({ databaseUrl, dataDir }: Config): Promise<{ url: string; close(): Promise<void> }> {
  if (databaseUrl !== null) return { url: databaseUrl, close: async () => {} };
  // What goes to standard output is the command's own answer.
  const log = { info() {}, warn: (message: string) => console.error(message) };
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  try {
    await migrate({ url: embedded.ownerUrl });
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.appUrl, close: embedded.stop };
}
