import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { keptLog } from '../../testing/kept-log.ts';
import { type DatabaseHandle, openDatabase } from '../database.ts';
import { createSteps, type Step } from '../step.ts';
import { createMetrics } from '../watching/metrics.ts';
import { createRowLoops } from './row-loops.ts';

const { log, lines } = keptLog();
const metrics = createMetrics();
const loops = createRowLoops({ log, metrics });
let database: TestDatabase;
let handle: DatabaseHandle;
beforeAll(async () => {
  database = await testDatabase();
  handle = openDatabase({ url: database.ownerUrl });
  await sql`create table rows_written (id bigint primary key check (id <> 2))`.execute(handle.db);
});
beforeEach(async () => {
  lines.splice(0);
  await sql`truncate rows_written`.execute(handle.db);
});
afterAll(async () => {
  await handle.close();
  await database.drop();
});

const asIs = (id: number) => id;
const write = (step: Step, id: number) => sql`insert into rows_written values (${id})`.execute(step.db);
const written = async () =>
  (await sql<{ id: number }>`select id from rows_written order by id`.execute(handle.db)).rows.map(({ id }) => id);

test('a row that fails is logged with its id and counted, the others are handled', async () => {
  const steps = createSteps(handle.db, () => {});
  const handled = await loops.each('charging.stray', [1, 2, 3], asIs, (id) => steps.run((step) => write(step, id)));
  expect(handled).toBe(2);
  expect(await written()).toEqual([1, 3]);
  expect(lines).toMatchObject([
    { level: 50, msg: 'row failed', loop: 'charging.stray', id: 2, err: expect.any(Object) },
  ]);
  expect(await metrics.registry.metrics()).toContain('fpay_row_failures_total{loop="charging.stray"} 1');
});

test('inside a step only what the bad row wrote is undone', async () => {
  const steps = createSteps(handle.db, () => {});
  await steps.run(async (step) => {
    await write(step, 10);
    const handled = await loops.eachIn(step, 'charging.online', [1, 2, 3], asIs, async (id) => {
      await write(step, id + 100);
      await write(step, id);
    });
    expect(handled).toBe(2);
    await write(step, 11);
  });
  expect(await written()).toEqual([1, 3, 10, 11, 101, 103]);
  expect(lines.map(({ id }) => id)).toEqual([2]);
});

test('a deadlock inside a step asks for the whole step again, and is no failure of a row', async () => {
  const steps = createSteps(handle.db, () => {});
  let tries = 0;
  await steps.run(async (step) => {
    tries += 1;
    await loops.eachIn(step, 'charging.online', [1, 3], asIs, async (id) => {
      await write(step, id);
      if (tries === 1 && id === 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
  });
  expect(tries).toBe(2);
  expect(await written()).toEqual([1, 3]);
  expect(lines).toEqual([]);
});

test('rows that cannot be handled together are handled one by one', async () => {
  const steps = createSteps(handle.db, () => {});
  const groups: number[] = [];
  const handled = await loops.together('gateway.offline', [1, 2, 3], asIs, (group) =>
    steps.run(async (step) => {
      groups.push(group.length);
      for (const id of group) await write(step, id);
    }),
  );
  expect(handled).toBe(2);
  expect(groups).toEqual([3, 1, 1, 1]);
  expect(await written()).toEqual([1, 3]);
});

test('a database that is away ends the loop, because every other row would fail the same way', async () => {
  const handled: number[] = [];
  const away = loops.each('charging.stray', [1, 2, 3], asIs, async (id) => {
    handled.push(id);
    throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  });
  await expect(away).rejects.toThrow('connection refused');
  expect(handled).toEqual([1]);
  expect(lines).toEqual([]);
});
