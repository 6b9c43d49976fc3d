import { expect, test } from 'vitest';
import { createBatch } from './batch.ts';

const away = () => Object.assign(new Error('away'), { code: '57P03' });

test('items that arrive while a batch is written form the next batch, and each item gets its own result', async () => {
  const groups: number[][] = [];
  const batch = createBatch<number, number>({
    waitMs: 0,
    most: 3,
    async run(items) {
      groups.push(items);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return items.map((item) => item * 10);
    },
  });
  expect(await Promise.all([1, 2, 3, 4, 5].map(batch.add))).toEqual([10, 20, 30, 40, 50]);
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('an item that cannot be written does not fail the others of its batch', async () => {
  const batch = createBatch<number, number>({
    waitMs: 0,
    most: 10,
    async run(items) {
      if (items.includes(2)) throw new Error('2 cannot be written');
      return items;
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(batch.add));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an item that cannot be written among a thousand costs a few dozen writes, not a thousand', async () => {
  let writes = 0;
  const batch = createBatch<number, number>({
    waitMs: 0,
    most: 1_000,
    async run(items) {
      writes += 1;
      if (items.includes(617)) throw new Error('617 cannot be written');
      return items;
    },
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 1_000 }, (_, n) => batch.add(n)));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(writes).toBeLessThan(30);
});

test('a batch is retried when the database is away for a moment, and no item is refused', async () => {
  let tries = 0;
  const batch = createBatch<number, number>({
    waitMs: 0,
    most: 10,
    async run(items) {
      tries += 1;
      if (tries < 3) throw away();
      return items;
    },
  });
  expect(await Promise.all([batch.add(1), batch.add(2)])).toEqual([1, 2]);
  expect(tries).toBe(3);
});

test('a batch is given up as a whole when the database stays away', async () => {
  const batch = createBatch<number, number>({
    waitMs: 0,
    most: 10,
    retryForMs: 300,
    run: () => Promise.reject(away()),
  });
  const outcomes = await Promise.allSettled([batch.add(1), batch.add(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
