import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { freePorts } from '../../../e2e/support/ports.ts';

/**
 * Measures the memory of the server at rest: the first `npm start`, with the demo network written by the same process
 * and 400 simulated charge points connected, while no person uses it.
 */
const goalMb = 250;
const seconds = Number(process.env.BENCH_SECONDS ?? 90);
const sampleEveryMs = 5_000;
const figures = [
  ['process_resident_memory_bytes', 'whole process'],
  ['nodejs_heap_size_total_bytes', 'JavaScript heap'],
  ['nodejs_heap_size_used_bytes', 'used of it'],
  ['nodejs_external_memory_bytes', 'buffers'],
] as const;

const start = fileURLToPath(new URL('../../../scripts/start.ts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
const [port, sandbox, simulator, metrics] = await freePorts(4);
const env = {
  ...process.env,
  PORT: String(port),
  SANDBOX_PORT: String(sandbox),
  SIMULATOR_PORT: String(simulator),
  METRICS_PORT: String(metrics),
  DATA_DIR: dataDir,
};
const demo = spawn(process.execPath, [start], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(demo, 'exit');
try {
  const lines = createInterface(demo.stdout);
  let isReady = false;
  for await (const line of lines) {
    isReady = line.startsWith('FPay is ready');
    if (isReady) break;
  }
  if (!isReady) throw new Error('The demo ended before it was ready.');
  demo.stdout.resume();
  const samples: number[][] = [];
  for (let waited = 0; waited < seconds * 1000; waited += sampleEveryMs) {
    await sleep(sampleEveryMs);
    samples.push(await sample());
  }
  // The charge points connect first; the second half is the rest.
  const atRest = samples.slice(Math.floor(samples.length / 2));
  for (const [index, [, name]] of figures.entries()) {
    const values = atRest.map((values) => values[index] ?? 0);
    const most = Math.max(...values);
    console.log(`${name.padEnd(16)} ${mb(Math.min(...values))} to ${mb(most)} MB`);
  }
  const most = Math.max(...atRest.map(([resident = 0]) => resident));
  console.log(`goal             ${goalMb} MB: ${most / 1e6 <= goalMb ? 'reached' : 'MISSED'}`);
  process.exitCode = most / 1e6 <= goalMb ? 0 : 1;
} finally {
  demo.kill('SIGINT');
  await ended;
  await removeEmbeddedPostgres(dataDir, 'full');
  rmSync(dataDir, { recursive: true, force: true });
}

async function sample(): Promise<number[]> {
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  return figures.map(([name]) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN));
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(0).padStart(4);
}
