import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partNames } from './parts.ts';
import { startBench } from './testing/bench.ts';

test('every part has its page, which links to all others, and its row in the README', async () => {
  const bench = await startBench();
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const part of partNames) {
    const { status, text } = await bench.call('GET', `/${part}`);
    expect([part, status]).toEqual([part, 200]);
    for (const other of partNames) expect(text).toContain(`<a href="/${other}"`);
    expect(readme, `the table of parts has ${part}`).toContain(`http://127.0.0.1:8090/${part}`);
  }
});
