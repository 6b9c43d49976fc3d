import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { type App, createApp } from './app/app.ts';
import { migrateProduct } from './app/schema.ts';
import { checkDatabase } from './app/start-checks.ts';
import { ConfigError, readCommandLine } from './config/command-line.ts';
import { type Config, readConfig } from './config/config.ts';
import { seedDemo } from './demo/seed.ts';
import { createLogger } from './platform/watching/logging.ts';
import { collectGarbage } from './platform/watching/memory.ts';

/** A stop that hangs is worse than one that is cut off, because due work continues after the next start. */
const stopTimeoutMs = 15_000;

function main(config: Config): void {
  const log = createLogger(config.logLevel);
  let embedded: EmbeddedPostgres | null = null;
  let running: App | null = null;
  let isStopping = false;

  async function start(): Promise<void> {
    if (config.databaseUrl === null) embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
    const databaseUrl = config.databaseUrl ?? embedded?.appUrl ?? '';
    // Migrations hold a lock of the session, which a pool would lose.
    const ownerUrl = config.migrationDatabaseUrl ?? embedded?.ownerUrl ?? config.directDatabaseUrl ?? databaseUrl;
    log.info('database ready');
    if (!isStopping)
      await migrateProduct({ url: ownerUrl, onApply: (migration) => log.info({ migration }, 'migration started') });
    log.info('tables ready');
    if (isStopping) return;
    const app = await createApp({ config, databaseUrl, log });
    running = app;
    const checks = await checkDatabase(config, app.platform.db);
    for (const warning of checks.warnings) log.warn({ warning }, 'unsafe setting found');
    if (checks.problems.length > 0) throw new ConfigError(checks.problems);
    if (config.mode === 'demo') {
      await seedDemo(app);
      collectGarbage();
      log.info('demo data ready');
    }
    if (isStopping) return;
    const { port, metricsPort } = await app.start();
    log.info({ url: `http://${config.host}:${port}`, metricsPort, roles: config.roles }, 'server started');
  }

  /** A start in progress is completed first, because only a started part can be stopped. */
  async function stop(code: number): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    await started.catch(() => {});
    await running?.stop();
    await embedded?.stop();
    process.exit(code);
  }

  const started = start();
  started.catch((error: unknown) => {
    log.fatal({ err: error }, 'start failed');
    void stop(1);
  });
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
}

try {
  main(readConfig(process.env, readCommandLine(process.argv.slice(2))));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
