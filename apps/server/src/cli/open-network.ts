import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { migrateProduct } from '../app/schema.ts';
import { ConfigError } from '../config/command-line.ts';
import { type Config, readConfig } from '../config/config.ts';
import { takesCertificates } from '../config/settings/tls.ts';
import { type Audit, createAudit } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { createSteps, type Steps } from '../platform/step.ts';

export interface OpenNetwork {
  db: Database;
  steps: Steps;
  audit: Audit;
  clock: typeof systemClock;
  secret: string;
  /** Whether the server takes certificates of devices, as the same settings say it to the server. */
  takesCertificates: boolean;
}

/** For a command that also creates or checks charge-point keys. */
export async function withNetwork<T>(
  environment: NodeJS.ProcessEnv,
  work: (network: OpenNetwork) => Promise<T>,
): Promise<T> {
  refuseStraySecret(environment);
  return withDatabase(environment, (db, { secret, chargePointTls }) =>
    // Servers sweep the outbox once a second, so no node needs to be woken.
    work({
      db,
      steps: createSteps(db, () => {}),
      audit: createAudit(systemClock),
      clock: systemClock,
      secret,
      takesCertificates: takesCertificates(chargePointTls),
    }),
  );
}

/**
 * The network's database for a command: the one of `DATABASE_URL`, or the embedded one, which is shared with a server
 * that runs on the same data directory. It is closed in any case.
 */
export async function withDatabase<T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database, config: Config, url: string) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment, { mode: 'demo', roles: [] });
  const { url, close: stopDatabase } = await reach(config);
  // A command does one thing after another, so its pool is small.
  const { db, close } = openDatabase({ url, poolSize: 2 });
  try {
    return await work(db, config, url);
  } finally {
    await close();
    await stopDatabase();
  }
}

/**
 * Keys are hashed with the server's secret. A secret generated here would lock the device out without a visible reason.
 */
function refuseStraySecret(environment: NodeJS.ProcessEnv): void {
  const secretFile = join(resolve(environment.DATA_DIR || '.data'), 'secret');
  if (environment.DATABASE_URL && !environment.SECRET && !existsSync(secretFile)) {
    throw new ConfigError(['SECRET: must be the same as the server has']);
  }
}

async function reach({
  databaseUrl,
  directDatabaseUrl,
  dataDir,
}: Config): Promise<{ url: string; close(): Promise<void> }> {
  // A command holds few connections, so it needs no pool in front of the database.
  if (databaseUrl !== null) return { url: directDatabaseUrl ?? databaseUrl, close: async () => {} };
  // Standard output is only for the answer of the command.
  const log = { info() {}, warn: (fields: object, message: string) => console.error(message, fields) };
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  try {
    await migrateProduct({ url: embedded.ownerUrl });
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.appUrl, close: embedded.stop };
}
