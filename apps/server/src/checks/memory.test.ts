import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Packages that hold tens of megabytes and that most hours do not need. `npm run bench -- memory` measures the whole
 * server; this test names the import that would undo it.
 */
const loadedWhenNeeded = [
  'pdfkit',
  'fontkit',
  '@azure/web-pubsub',
  '@azure/core-rest-pipeline',
  // Its small interface, @opentelemetry/api, comes with prom-client in any case.
  '@opentelemetry/sdk-trace',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
];

test('the server starts without the packages that only some requests need', async () => {
  const program = fileURLToPath(new URL('../testing/programs/loaded-packages.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  const loaded = stdout.trim().split('\n');
  expect(loaded).toContain('fastify');
  expect(loaded.filter((name) => loadedWhenNeeded.includes(name))).toEqual([]);
}, 90_000);
