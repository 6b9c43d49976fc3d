import { expect, test } from 'vitest';
import { runParts } from './parts.ts';

test('every part runs although others fail, and the failures are thrown together at the end', async () => {
  const ran: string[] = [];
  const part = (name: string, failure?: Error) => ({
    name,
    async run() {
      ran.push(name);
      if (failure) throw failure;
    },
  });
  await runParts([part('a'), part('b')]);
  await expect(
    runParts([part('first', new Error('one')), part('second'), part('third', new Error('two'))]),
  ).rejects.toThrow('first: one; third: two');
  expect(ran).toEqual(['a', 'b', 'first', 'second', 'third']);
});
