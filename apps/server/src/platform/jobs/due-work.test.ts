import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { startProgram } from '../../testing/program.ts';
import { systemClock } from '../clock.ts';
import { type DatabaseHandle, openDatabase } from '../database.ts';
import { createRowLoops } from '../rows/row-loops.ts';
import { createSteps, type Step, type Steps } from '../step.ts';
import { createMetrics } from '../watching/metrics.ts';
import { createDueWork, type DueKind, type DueWork, defaultLeaseMs } from './due-work.ts';

let database: TestDatabase;
let handle: DatabaseHandle;
const working: DueWork<Errands>[] = [];

beforeAll(async () => {
  database = await testDatabase();
  handle = openDatabase({ url: database.ownerUrl });
  await sql`create table errands (id bigint generated always as identity primary key, done integer not null default 0,
    next_action_at timestamptz, due_claim integer not null default 0, due_failures integer not null default 0)`.execute(
    handle.db,
  );
});
beforeEach(() => sql`truncate errands restart identity`.execute(handle.db));
afterEach(async () => {
  await Promise.all(working.splice(0).map((dueWork) => dueWork.stop()));
});
afterAll(async () => {
  await handle.close();
  await database.drop();
});

type Run = (id: number, claim: number) => Promise<void>;
type Errands = { errand: 'errands' };
type Options = Partial<Pick<DueKind<Errands>, 'concurrency' | 'leaseMs'>>;

function start(kind: DueKind<Errands>, steps: Steps = createSteps(handle.db, () => {})): DueWork<Errands> {
  const log = pino({ level: 'silent' });
  const rows = createRowLoops({ log, metrics: createMetrics() });
  const dueWork = createDueWork<Errands>({ db: handle.db, steps, clock: systemClock, log, rows });
  dueWork.register(kind);
  dueWork.start();
  working.push(dueWork);
  return dueWork;
}

const startWorker = (run: Run, options: Options = {}): DueWork<Errands> =>
  start({ name: 'errand', table: 'errands', run, ...options });

const add = (count: number) =>
  sql`insert into errands (next_action_at) select now() - interval '1 second' from generate_series(1, ${count})`.execute(
    handle.db,
  );
const finish = (id: number, claim: number) =>
  sql`update errands set done = done + 1, next_action_at = null where id = ${id} and due_claim = ${claim}`.execute(
    handle.db,
  );
const rows = async () =>
  (
    await sql<{ id: number; done: number; due_failures: number; waits: boolean }>`
    select id, done, due_failures, next_action_at > now() as waits from errands order by id`.execute(handle.db)
  ).rows;

test('two workers share the due rows and do each once', async () => {
  await add(60);
  let done = 0;
  for (const _ of ['one', 'other']) {
    startWorker(
      async (id, claim) => {
        done += 1;
        await finish(id, claim);
      },
      { concurrency: 5 },
    );
  }
  await vi.waitFor(async () => expect((await rows()).every((row) => row.done === 1)).toBe(true), { timeout: 5_000 });
  expect(done).toBe(60);
});

test('a step that throws is tried again after a pause that grows', async () => {
  await add(1);
  let tries = 0;
  startWorker(async (id, claim) => {
    tries += 1;
    if (tries < 2) throw new Error('the bank is asleep');
    await finish(id, claim);
  });
  await vi.waitFor(async () => expect(await rows()).toEqual([{ id: 1, done: 0, due_failures: 1, waits: true }]));
  await vi.waitFor(async () => expect((await rows())[0]?.done).toBe(1), { timeout: 5_000 });
  expect(tries).toBe(2);
});

test('a step that succeeds after failures starts with the shortest pause when it fails again', async () => {
  await add(2);
  await sql`update errands set due_failures = 6`.execute(handle.db);
  const finishIn = (step: Step, id: number) =>
    sql`update errands set done = done + 1, next_action_at = null where id = ${id}`.execute(step.db).then(() => {});
  await sql`update errands set next_action_at = null where id = 2`.execute(handle.db);
  const inStep = start({ name: 'errand', table: 'errands', act: finishIn });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ done: 1, due_failures: 0 }));
  await inStep.stop();
  await sql`update errands set next_action_at = now() where id = 2`.execute(handle.db);
  startWorker(async (id, claim) => void (await finish(id, claim)));
  await vi.waitFor(async () => expect((await rows())[1]).toMatchObject({ done: 1, due_failures: 0 }));
});

test('the writes of a worker that lost its claim are void, and the failures of the newer claim stay', async () => {
  await add(1);
  const steps = createSteps(handle.db, () => {});
  let isHeldBack = true;
  let tries = 0;
  const slow: Steps = {
    ...steps,
    async run(work) {
      tries += 1;
      while (isHeldBack) await new Promise((resolve) => setTimeout(resolve, 10));
      return steps.run(work);
    },
  };
  const acted: number[] = [];
  start(
    {
      name: 'errand',
      table: 'errands',
      async act(step, id) {
        acted.push(id);
        await sql`update errands set done = done + 1, next_action_at = null where id = ${id}`.execute(step.db);
      },
    },
    slow,
  );
  await vi.waitFor(() => expect(tries).toBe(1));
  // The lease ran out, and another node took the row and failed at it.
  await sql`update errands set due_claim = due_claim + 1, due_failures = 1, next_action_at = now() + interval '1 hour'`.execute(
    handle.db,
  );
  isHeldBack = false;
  await working[0]?.stop();
  expect(acted).toEqual([]);
  expect(await rows()).toEqual([{ id: 1, done: 0, due_failures: 1, waits: true }]);
});

test('the node that commits a step runs the next one at once when woken', async () => {
  const done: number[] = [];
  const dueWork = startWorker(async (id, claim) => {
    await finish(id, claim);
    done.push(id);
  });
  await add(1);
  const startedAt = Date.now();
  dueWork.wake('errand');
  await vi.waitFor(() => expect(done).toEqual([1]), { interval: 5 });
  expect(Date.now() - startedAt).toBeLessThan(500);
});

test('stopping waits for the steps in progress and takes no new rows', async () => {
  await add(30);
  let running = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const dueWork = startWorker(
    async (id, claim) => {
      running += 1;
      await released;
      await finish(id, claim);
      running -= 1;
    },
    { concurrency: 3 },
  );
  await vi.waitFor(() => expect(running).toBe(3));
  const stopped = dueWork.stop();
  release();
  await stopped;
  expect(running).toBe(0);
  expect((await rows()).filter((row) => row.done > 0).length).toBe(3);
});

test('the work of a worker killed with kill -9 goes on at another when its lease ends, within 30 s [MACH-27]', async () => {
  expect(defaultLeaseMs).toBeLessThan(30_000 - 1_000);
  await add(1);
  const leaseMs = 1_500;
  const killed = await startProgram('due-worker', database.ownerUrl, String(leaseMs));
  await killed.printed('took 1');
  await killed.kill();
  const killedAt = Date.now();
  startWorker(finish as never);
  await vi.waitFor(async () => expect((await rows())[0]?.done).toBe(1), { timeout: 8_000, interval: 50 });
  expect(Date.now() - killedAt).toBeLessThan(leaseMs + 2_500);
});

test('a node at rest sends one statement a poll, however many kinds there are', async () => {
  const sent: string[] = [];
  const counting = handle.db.withPlugin({
    transformQuery({ node }) {
      sent.push(node.kind);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const log = pino({ level: 'silent' });
  const rows = createRowLoops({ log, metrics: createMetrics() });
  const steps = createSteps(handle.db, () => {});
  const dueWork = createDueWork<Record<string, 'errands'>>({ db: counting, steps, clock: systemClock, log, rows });
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    dueWork.register({ name, table: 'errands', run: async () => {} });
  }
  dueWork.start();
  await vi.waitFor(() => expect(sent.length).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
  await dueWork.stop();
  // Each poll of five kinds would make it ten at least.
  expect(sent).toHaveLength(3);
});
