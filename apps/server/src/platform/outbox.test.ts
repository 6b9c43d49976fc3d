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
  const heard: string[] = [];
  outbox.subscribe(({ topic, ref }) => heard.push(`${topic}:${ref}`));
  await outbox.start();
  opened.push({ handle, outbox });
  return { ...handle, outbox, heard, steps: createSteps(handle.db, outbox.wake) };
}

test('an event written in a transaction reaches every node once, soon after the commit and never before', async () => {
  const [a, b] = [await startNode(), await startNode()];
  await a.steps.run(async (step) => {
    step.tell('operation', 1);
    step.tell('operation', 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...a.heard, ...b.heard]).toEqual([]);
  });
  const committedAt = Date.now();
  await vi.waitFor(() => expect([a.heard, b.heard]).toEqual([['operation:1'], ['operation:1']]), { interval: 5 });
  expect(Date.now() - committedAt).toBeLessThan(500);
  await expect(
    a.steps.run(async (step) => {
      step.tell('operation', 2);
      throw new Error('no');
    }),
  ).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(b.heard).toEqual(['operation:1']);
});

test('nothing is missed or doubled when transactions commit in another order than they began', async () => {
  const [a, b] = [await startNode(), await startNode()];
  const steps = Array.from({ length: 60 }, (_, index) =>
    a.steps.run(async (step) => {
      await sql`select pg_sleep(${(index % 7) / 50})`.execute(step.db);
      step.tell('order', index);
      if (index % 3 === 0) await new Promise((resolve) => setTimeout(resolve, index));
    }),
  );
  await Promise.all(steps);
  const all = Array.from({ length: 60 }, (_, index) => `order:${index}`).sort();
  for (const { heard } of [a, b]) await vi.waitFor(() => expect([...heard].sort()).toEqual(all), { timeout: 8_000 });
});

test('a lost NOTIFY costs a second, not the event', async () => {
  const node = await startNode();
  // Written by somebody who dies before waking anyone.
  await node.db.insertInto('outbox').values({ topic: 'quiet', ref: '1' }).execute();
  await vi.waitFor(() => expect(node.heard).toEqual(['quiet:1']), { timeout: 2_000 });
});

test('a listener whose connection is cut comes back by itself', async () => {
  const [a, b] = [await startNode(), await startNode()];
  const owner = openDatabase({ url: database.ownerUrl });
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen fpay_outbox'`.execute(owner.db);
  await cut().catch(() => {});
  await owner.close();
  await a.steps.run(async (step) => step.tell('after', 'the cut'));
  await vi.waitFor(() => expect(b.heard).toContain('after:the cut'), { timeout: 4_000 });
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
