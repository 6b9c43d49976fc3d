import { expect, test } from 'vitest';
import { createKeyedQueue } from './keyed-queue.ts';

/** Tasks that the test completes by hand, with a record of when each began. */
function createTasks() {
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const task = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => finish.set(name, resolve));
  };
  const end = async (name: string) => {
    finish.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, task, end };
}

test('tasks of one key keep their order while others go on', async () => {
  const { begun, task, end } = createTasks();
  const lanes = createKeyedQueue({ width: 8, waiting: 8 });
  lanes.add('a', task('a1'));
  lanes.add('a', task('a2'));
  lanes.add('b', task('b1'));
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('no more tasks run at once than the width, and a busy key does not starve the next', async () => {
  const { begun, task, end } = createTasks();
  const lanes = createKeyedQueue({ width: 1, waiting: 8 });
  for (const name of ['a1', 'a2', 'b1']) lanes.add(name.slice(0, 1), task(name));
  expect(begun).toEqual(['a1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('a task that finds no room is dropped', async () => {
  const { begun, task, end } = createTasks();
  const lanes = createKeyedQueue({ width: 1, waiting: 2 });
  expect([lanes.add('a', task('a1')), lanes.add('a', task('a2')), lanes.add('a', task('a3'))]).toEqual([
    true,
    true,
    false,
  ]);
  await end('a1');
  await end('a2');
  await lanes.empty();
  expect(begun).toEqual(['a1', 'a2']);
  expect(lanes.add('a', task('a4'))).toBe(true);
});

test('a task that fails does not stop its queue', async () => {
  const lanes = createKeyedQueue({ width: 1, waiting: 2 });
  const done: string[] = [];
  lanes.add('a', async () => {
    throw new Error('Azure said no');
  });
  lanes.add('a', async () => void done.push('a2'));
  await lanes.empty();
  expect(done).toEqual(['a2']);
});
