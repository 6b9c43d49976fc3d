import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

const folder = new URL('.', import.meta.url);

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'method' in exported && 'access' in exported;
}

test('every endpoint that a file of the contract declares is in the list that the server and the permission tests use', async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(10);
  const missing: string[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(new URL(file, folder).href);
    for (const [name, value] of Object.entries(exported)) {
      if (isEndpoint(value) && !endpoints.includes(value)) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
});
