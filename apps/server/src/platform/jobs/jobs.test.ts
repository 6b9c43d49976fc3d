import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { keptLog } from '../../testing/kept-log.ts';
import { startProgram } from '../../testing/program.ts';
import { systemClock } from '../clock.ts';
import { type DatabaseHandle, openDatabase } from '../database.ts';
import { createSteps } from '../step.ts';
import { createMetrics } from '../watching/metrics.ts';
import { createJobs, type Jobs } from './jobs.ts';

let database: TestDatabase;
let handle: DatabaseHandle;
let jobs: Jobs;
const { log, lines } = keptLog();
const metrics = createMetrics();
beforeAll(async () => {
  database = await testDatabase();
  // The product's own role: it must be able to work without owning anything.
  handle = openDatabase({ url: database.appUrl });
  jobs = createJobs({ db: handle.db, log, isWorker: true, clock: systemClock, metrics });
  await jobs.start();
});
afterAll(async () => {
  await jobs.stop();
  await handle.close();
  await database.drop();
});

test('a job exists only if the transaction that causes it commits, and the job of a killed worker is taken over within 30 s', async () => {
  const steps = createSteps(handle.db, () => {});
  await expect(
    steps.run(async (step) => {
      await jobs.send(step, 'platform.sweep', { errand: 'never' });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await steps.run((step) => jobs.send(step, 'platform.sweep', { errand: 'once' }));

  const killed = await startProgram('job-worker', database.appUrl);
  await killed.printed('took it');
  await killed.kill();
  const killedAt = Date.now();
  const done: unknown[] = [];
  await jobs.work('platform.sweep', async (data) => void done.push(data));
  await vi.waitFor(() => expect(done).toEqual([{ errand: 'once' }]), { timeout: 30_000, interval: 200 });
  expect(Date.now() - killedAt).toBeLessThan(30_000);
}, 40_000);

test('a job that fails is logged and counted; three failures in a row are one anomaly, which a success clears', async () => {
  const steps = createSteps(handle.db, () => {});
  let failing = true;
  let runs = 0;
  await jobs.work('account.nightly', async () => {
    runs += 1;
    if (failing) throw new Error(`the guests are asleep ${runs}`);
  });
  const send = () => steps.run((step) => jobs.send(step, 'account.nightly', {}));
  const recorded = async () =>
    (
      await sql<object>`
        select queue, times, last_error, cleared_at is null as is_open from job_failures order by id`.execute(handle.db)
    ).rows;
  const figure = async (name: string) => (await (metrics.registry.getSingleMetric(name)?.get() ?? null))?.values;

  // The queue itself retries after one, two and four seconds.
  await send();
  const inARow = (times: number) => [
    { queue: 'account.nightly', times, last_error: `the guests are asleep ${times}`, is_open: true },
  ];
  await vi.waitFor(async () => expect(await recorded()).toEqual(inARow(2)), { timeout: 10_000 });
  expect(await figure('fpay_job_anomalies')).toEqual([{ labels: {}, value: 0 }]);
  await vi.waitFor(async () => expect(await recorded()).toEqual(inARow(4)), { timeout: 20_000 });
  const said = (msg: string) => lines.filter((line) => line.msg === msg && line.queue === 'account.nightly');
  expect(said('job failed')).toHaveLength(4);
  expect(said('job failed')[0]).toMatchObject({ level: 50, job: expect.any(String), err: expect.any(Object) });
  expect(said('job anomaly found')).toHaveLength(1);
  expect(await figure('fpay_job_failures_total')).toEqual([{ labels: { queue: 'account.nightly' }, value: 4 }]);
  expect(await figure('fpay_job_anomalies')).toEqual([{ labels: {}, value: 1 }]);

  failing = false;
  await send();
  await vi.waitFor(async () => expect(await figure('fpay_job_anomalies')).toEqual([{ labels: {}, value: 0 }]), {
    timeout: 10_000,
  });
  expect(await recorded()).toEqual([{ ...inARow(4)[0], is_open: false }]);
}, 45_000);

test('the jobs of one queue follow each other without a pause', async () => {
  const steps = createSteps(handle.db, () => {});
  await steps.run(async (step) => {
    for (const key of Array.from({ length: 20 }, (_, index) => index))
      await jobs.send(step, 'backoffice.recount', { key });
  });
  const done: unknown[] = [];
  await jobs.work('backoffice.recount', async (data) => void done.push(data));
  // One job at each poll would take 20 s.
  await vi.waitFor(() => expect(done).toHaveLength(20), { timeout: 10_000 });
});
