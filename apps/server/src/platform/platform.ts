import type { Logger } from 'pino';
import { type Clock, systemClock } from './clock.ts';
import { type Database, openDatabase } from './database.ts';
import { createDueWork, type DueWork } from './jobs/due-work.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { createRowLoops, type RowLoops } from './rows/row-loops.ts';
import { createSteps, type Steps } from './step.ts';
import type { Topic } from './topics.ts';
import { createMetrics, type Metrics } from './watching/metrics.ts';
import { createTracing, type TraceExporter, type Tracing } from './watching/tracing.ts';

/** What every feature is built on. A feature names the members that it uses, so that a test needs no others. */
export interface Platform {
  /** For a part that opens its own connections, like the thread that draws the map. */
  databaseUrl: string;
  isPooled: boolean;
  db: Database;
  steps: Steps;
  outbox: Outbox;
  rows: RowLoops;
  dueWork: DueWork;
  jobs: Jobs;
  limits: RateLimits;
  metrics: Metrics;
  tracing: Tracing;
  clock: Clock;
  log: Logger;
}

export interface PlatformOptions {
  databaseUrl: string;
  /** The database itself, when `databaseUrl` is a pool in transaction mode in front of it; null when there is none. */
  directUrl?: string | null;
  log: Logger;
  clock?: Clock;
  /** Only a worker supervises jobs and runs their schedule. */
  isWorker?: boolean;
  poolSize?: number;
  /** See `DatabaseOptions`. */
  preparesAll?: boolean;
  /** Where traces go; without it none are recorded. */
  traceExporter?: TraceExporter | null;
  /** Called for every event that a step publishes, inside the step. */
  onPublish?: (topic: Topic, ref: string) => void;
}

/** Opens the database's pool; nothing else runs before the parts are started. `close` ends the pool. */
export function openPlatform(options: PlatformOptions): { platform: Platform; close(): Promise<void> } {
  const { databaseUrl, log, clock = systemClock, isWorker = false, poolSize, directUrl = null } = options;
  const { preparesAll = false } = options;
  const isPooled = directUrl !== null;
  const metrics = createMetrics();
  const { db, close } = openDatabase({
    url: databaseUrl,
    isPooled,
    preparesAll,
    ...(poolSize !== undefined && { poolSize }),
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const rows = createRowLoops({ log, metrics });
  const outbox = createOutbox({ db, url: directUrl ?? databaseUrl, log, rows });
  const tracing = createTracing(() => options.traceExporter ?? null);
  const countRetry = metrics.counter('fpay_step_retries_total', 'Steps that were tried again, by reason', 'reason');
  const steps = createSteps(db, outbox.wake, options.onPublish, countRetry);
  const dueWork = createDueWork({ db, steps, clock, log, rows, tracing });
  const jobs = createJobs({ db, log, isWorker, clock, metrics, tracing });
  const limits = createRateLimits(db, clock);
  return {
    platform: { databaseUrl, isPooled, db, steps, outbox, rows, dueWork, jobs, limits, metrics, tracing, clock, log },
    close,
  };
}
