import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import type { Metrics } from '../watching/metrics.ts';
import type { JobQueue } from './job-queue.ts';

/** This many failures in a row are an anomaly for staff; one or two are a restart or a short outage. */
export const timesToAnomaly = 3;
const longestError = 500;

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Pick<Metrics, 'counter' | 'gauge'>;
}

/** Counts, across nodes, how often in a row the jobs of a queue failed. A success clears the count. */
export function createJobFailures({ db, clock, log, metrics }: Dependencies) {
  const count = metrics.counter('fpay_job_failures_total', 'Background jobs that failed, by queue', 'queue');
  metrics.gauge('fpay_job_anomalies', 'Queues whose jobs failed three times in a row and more', openAnomalies);

  async function openAnomalies(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from job_failures
      where cleared_at is null and times >= ${timesToAnomaly}`.execute(db);
    return rows[0]?.count ?? 0;
  }

  return {
    async failed(queue: JobQueue, job: string, error: unknown): Promise<void> {
      log.error({ err: error, queue, job }, 'job failed');
      count(queue);
      const now = clock.now();
      const text = (error instanceof Error ? error.message : String(error)).slice(0, longestError);
      const { rows } = await sql<{ times: number }>`
        insert into job_failures as f (queue, first_at, last_at, last_error) values (${queue}, ${now}, ${now}, ${text})
        on conflict (queue) where cleared_at is null
        do update set times = f.times + 1, last_at = excluded.last_at, last_error = excluded.last_error
        returning times`.execute(db);
      if (rows[0]?.times === timesToAnomaly) log.error({ queue, times: timesToAnomaly }, 'job anomaly found');
    },

    /** Anomalies stay as history; failures that never became one are deleted. */
    async succeeded(queue: JobQueue): Promise<void> {
      await sql`
        with few as (delete from job_failures where queue = ${queue} and cleared_at is null and times < ${timesToAnomaly})
        update job_failures set cleared_at = ${clock.now()}
        where queue = ${queue} and cleared_at is null and times >= ${timesToAnomaly}`.execute(db);
    },
  };
}
