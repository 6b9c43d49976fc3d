import { pino } from 'pino';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { createMetrics } from '../../platform/watching/metrics.ts';

/** A worker in its own process that takes a job and never finishes it, so that a test can kill it in the middle. */
const [url = ''] = process.argv.slice(2);
const { db } = openDatabase({ url });
const log = pino({ level: 'silent' });
const jobs = createJobs({ db, log, isWorker: true, clock: systemClock, metrics: createMetrics() });
await jobs.start();
await jobs.work('platform.sweep', async () => {
  process.stdout.write('took it\n');
  await new Promise(() => {});
});
