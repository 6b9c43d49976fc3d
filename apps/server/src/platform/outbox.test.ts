import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type DatabaseHandle, openDatabase } from './database.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createSteps } from './step.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
const opened: { handle: DatabaseHandle; outbox: Outbox }[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const { outbox, handle } of opened) {
    await outbox.stop();
    await handle.close();
  }
  await database.drop();
});

async function startNode() {
  const handle = openDatabase({ url: database.appUrl, poolSize: 5 });
  const outbox = createOutbox({ db: handle.db, url: database.appUrl, log });
  const received: string[] = [];
  outbox.subscribe('operation', (ref) => received.push(`operation:${ref}`));
  outbox.subscribe('station', (ref) => received.push(`station:${ref}`));
  await outbox.start();
  opened.push({ handle, outbox });
  return { ...handle, outbox, received: received, steps: createSteps(handle.db, outbox.wake) };
}

test('an event written in a transaction reaches every node once, soon after the commit and never before', async () => {
  const [a, b] = [await startNode(), await startNode()];
  await a.steps.run(async (step) => {
    step.publish('operation', 1);
    step.publish('operation', 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...a.received, ...b.received]).toEqual([]);
  });
  const committedAt = Date.now();
  await vi.waitFor(() => expect([a.received, b.received]).toEqual([['operation:1'], ['operation:1']]), { interval: 5 });
  expect(Date.now() - committedAt).toBeLessThan(500);
  await expect(
    a.steps.run(async (step) => {
      step.publish('operation', 2);
      throw new Error('no');
    }),
  ).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(b.received).toEqual(['operation:1']);
});

test('nothing is missed or doubled when transactions commit in another order than they began', async () => {
  const [a, b] = [await startNode(), await startNode()];
  const steps = Array.from({ length: 60 }, (_, index) =>
    a.steps.run(async (step) => {
      await sql`select pg_sleep(${(index % 7) / 50})`.execute(step.db);
      step.publish('station', index);
      if (index % 3 === 0) await new Promise((resolve) => setTimeout(resolve, index));
    }),
  );
  await Promise.all(steps);
  const all = Array.from({ length: 60 }, (_, index) => `station:${index}`).sort();
  for (const { received } of [a, b])
    await vi.waitFor(() => expect([...received].sort()).toEqual(all), { timeout: 8_000 });
});

test('a lost NOTIFY costs a second, not the event', async () => {
  const node = await startNode();
  // Written by a process that dies before it wakes any node.
  await node.db.insertInto('outbox').values({ topic: 'operation', ref: '3' }).execute();
  await vi.waitFor(() => expect(node.received).toEqual(['operation:3']), { timeout: 2_000 });
});

test('a listener reconnects by itself when its connection is cut', async () => {
  const [a, b] = [await startNode(), await startNode()];
  const owner = openDatabase({ url: database.ownerUrl });
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen fpay_outbox'`.execute(owner.db);
  await cut().catch(() => {});
  await owner.close();
  await a.steps.run(async (step) => step.publish('operation', 4));
  await vi.waitFor(() => expect(b.received).toContain('operation:4'), { timeout: 4_000 });
});

test('one node of all is the leader, and another takes over when it goes', async () => {
  for (const { outbox, handle } of opened.splice(0)) {
    await outbox.stop();
    await handle.close();
  }
  const [a, b] = [await startNode(), await startNode()];
  expect([a.outbox.isLeader(), b.outbox.isLeader()]).toEqual([true, false]);
  await a.outbox.stop();
  await vi.waitFor(() => expect(b.outbox.isLeader()).toBe(true), { timeout: 3_000 });
});
