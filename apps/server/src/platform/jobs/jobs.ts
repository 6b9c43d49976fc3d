import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import type { Step } from '../step.ts';
import { createTurns } from '../step-limit.ts';
import type { Metrics } from '../watching/metrics.ts';
import { noTracing, type Tracing } from '../watching/tracing.ts';
import { createJobFailures } from './job-failures.ts';
import type { JobQueue, JobQueues } from './job-queue.ts';

/**
 * Messages and scheduled jobs. A job is sent in the transaction that causes it, so neither exists without the other.
 */
export interface Jobs {
  send<Queue extends JobQueue>(step: Step, queue: Queue, data: JobQueues[Queue]): Promise<void>;
  work<Queue extends JobQueue>(queue: Queue, handler: (data: JobQueues[Queue]) => Promise<void>): Promise<void>;
  /** Cron in Kyiv time; with several nodes each tick still runs once. */
  schedule(queue: JobQueue, cron: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const pollMs = 1_000;
/** pg-boss would ask once a second for each queue; our poll asks for all of them and wakes those that have a job. */
const fallbackSeconds = 30;
/** Every queue asks for its jobs by itself; all at once would take most of the pool away from users who wait. */
const mostConnections = 2;

interface Dependencies {
  db: Database;
  log: Logger;
  /** Only a worker supervises and runs cron; other nodes only send. */
  isWorker: boolean;
  clock: Clock;
  metrics: Pick<Metrics, 'counter' | 'gauge'>;
  tracing?: Tracing;
}

export function createJobs({ db, log, isWorker, clock, metrics, tracing = noTracing }: Dependencies): Jobs {
  const failures = createJobFailures({ db, clock, log, metrics });
  const queues = fromKysely(db);
  const inTurn = createTurns(mostConnections);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => inTurn(() => queues.executeSql(text, values)) },
    migrate: false,
    createSchema: false,
    supervise: isWorker,
    schedule: isWorker,
    // Supervision notices a worker that went silent; its work must go on within 30 s.
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue failed'));

  const unrecorded = (queue: JobQueue) => (error: unknown) => log.warn({ err: error, queue }, 'job outcome unrecorded');

  const workers = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;

  const wake = (queue: string) => {
    const worker = workers.get(queue);
    if (worker) boss.notifyWorker(worker);
  };

  async function poll(): Promise<void> {
    if (isPolling || workers.size === 0) return;
    isPolling = true;
    try {
      const { rows } = await sql<{ name: string }>`
        select queue.name from unnest(${[...workers.keys()]}::text[]) as queue (name)
        where exists (
          select from pgboss.job
          where name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now())`.execute(
        db,
      );
      for (const { name } of rows) wake(name);
    } catch (error) {
      log.warn({ err: error }, 'job poll failed');
    } finally {
      isPolling = false;
    }
  }

  return {
    async send(step, queue, data) {
      await boss.send(queue, data, { db: fromKysely(step.db) });
    },
    async work(queue, handler) {
      const worker = await boss.work(queue, { pollingIntervalSeconds: fallbackSeconds, batchSize: 1 }, async (jobs) => {
        // The batch is one job, so it fails and is retried as a whole.
        for (const job of jobs) {
          try {
            await tracing.unit({ name: `job ${queue}` }, () => handler(job.data as never));
          } catch (error) {
            await failures.failed(queue, job.id, error).catch(unrecorded(queue));
            throw error;
          }
          await failures.succeeded(queue).catch(unrecorded(queue));
        }
        // The next job of the queue is taken at once and does not wait for the poll.
        wake(queue);
      });
      workers.set(queue, worker);
    },
    schedule: (queue, cron) => boss.schedule(queue, cron, null, { tz: 'Europe/Kyiv' }),
    async start() {
      await boss.start();
      timer = setInterval(() => void poll(), pollMs);
    },
    async stop() {
      clearInterval(timer);
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
