import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { startProgram } from '../testing/program.ts';
import { type DatabaseHandle, openDatabase } from './database.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createSteps } from './step.ts';

let database: TestDatabase;
let handle: DatabaseHandle;
let jobs: Jobs;
beforeAll(async () => {
  database = await testDatabase();
  // The product's own role: it must be able to work without owning anything.
  handle = openDatabase({ url: database.appUrl });
  jobs = createJobs({ db: handle.db, log: pino({ level: 'silent' }), isWorker: true });
  await jobs.start();
});
afterAll(async () => {
  await jobs.stop();
  await handle.close();
  await database.drop();
});

test('a job lives and dies with the transaction that causes it, and a killed worker’s job is taken over within 30 s', async () => {
  const steps = createSteps(handle.db, () => {});
  await expect(
    steps.run(async (step) => {
      await jobs.send(step, 'platform.sweep', { errand: 'never' });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await steps.run((step) => jobs.send(step, 'platform.sweep', { errand: 'once' }));

  const killed = startProgram('job-worker', database.appUrl);
  await killed.printed('took it');
  await killed.kill();
  const killedAt = Date.now();
  const done: unknown[] = [];
  await jobs.work('platform.sweep', async (data) => void done.push(data));
  await vi.waitFor(() => expect(done).toEqual([{ errand: 'once' }]), { timeout: 30_000, interval: 200 });
  expect(Date.now() - killedAt).toBeLessThan(30_000);
}, 40_000);
