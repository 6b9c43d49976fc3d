import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { createJobFailures } from './job-failures.ts';
import type { JobQueue } from './job-queues.ts';
import type { Metrics } from './metrics.ts';
import type { Step } from './step.ts';

/** Messages and what the clock starts. Sent in the transaction that causes them, so neither exists without the other. */
export interface Jobs {
  send(step: Step, queue: JobQueue, data: object): Promise<void>;
  work<Data>(queue: JobQueue, handler: (data: Data) => Promise<void>): Promise<void>;
  /** Cron in Kyiv time; on several nodes each tick still runs once. */
  schedule(queue: JobQueue, cron: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  db: Database;
  log: Logger;
  /** Only a worker supervises and runs cron; other nodes merely send. */
  isWorker: boolean;
  clock: Clock;
  metrics: Pick<Metrics, 'counter' | 'gauge'>;
}

export function createJobs({ db, log, isWorker, clock, metrics }: Dependencies): Jobs {
  const failures = createJobFailures({ db, clock, log, metrics });
  const boss = new PgBoss({
    db: fromKysely(db),
    migrate: false,
    createSchema: false,
    supervise: isWorker,
    schedule: isWorker,
    // A worker's silence is noticed by supervision: the promise is that its work goes on within 30 s.
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue failed'));

  const unrecorded = (queue: JobQueue) => (error: unknown) => log.warn({ err: error, queue }, 'job outcome unrecorded');

  return {
    async send(step, queue, data) {
      await boss.send(queue, data, { db: fromKysely(step.db) });
    },
    async work(queue, handler) {
      await boss.work(queue, { pollingIntervalSeconds: 1, batchSize: 1 }, async (jobs) => {
        // The batch is one job: a batch fails and is repeated as a whole.
        for (const job of jobs) {
          try {
            await handler(job.data as never);
          } catch (error) {
            await failures.failed(queue, job.id, error).catch(unrecorded(queue));
            throw error;
          }
          await failures.succeeded(queue).catch(unrecorded(queue));
        }
      });
    },
    schedule: (queue, cron) => boss.schedule(queue, cron, null, { tz: 'Europe/Kyiv' }),
    async start() {
      await boss.start();
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
