import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { measured } from './scale-figures.ts';
import { planScale, usualSize } from './scale-plan.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const plan = (chargePoints: number, chargesPerDay: number, intervalSeconds = 10, more = {}) =>
  planScale({ ...usualSize, chargePoints, chargesPerDay, intervalSeconds, ...more });

test('the figures are those that the documents report', () => {
  const gateway = readFileSync(`${root}apps/server/src/ocpp/README.md`, 'utf8');
  const [readings, statuses] = [...gateway.matchAll(/CPU of the server for one, µs \| \d+ \| (\d+)/g)];
  const [databaseReadings, databaseStatuses] = [...gateway.matchAll(/CPU of PostgreSQL for one, µs \| +\| (\d+)/g)];
  expect([readings, databaseReadings, statuses, databaseStatuses].map((match) => Number(match?.[1]))).toEqual([
    measured.serverCpuPerReadingUs,
    measured.databaseCpuPerReadingUs,
    measured.serverCpuPerStatusUs,
    measured.databaseCpuPerStatusUs,
  ]);
  const bench = readFileSync(`${root}apps/server/bench/README.md`, 'utf8');
  expect(bench).toContain(`${measured.operationsPerSecond}/s`);
  expect(readFileSync(`${root}docs/scale.md`, 'utf8')).toContain(`${measured.bytesPerReading} bytes`);
});

test('a small network fits two nodes, a large one needs nodes by role, a pool and a replica', () => {
  const small = plan(1_000, 2_000);
  expect(small.processes).toMatchObject({ gateway: 2, api: 2, worker: 2 });
  expect(small.database.cores).toBe(2);
  expect(small.advice).toHaveLength(1);

  const large = plan(100_000, 200_000);
  expect(large.processes.gateway).toBe(10);
  // 200,000 charges a day, a tenth in one hour, each for 40 minutes.
  expect(large.atPeak.charging).toBe(13_334);
  expect(large.atPeak.readingsPerSecond).toBeCloseTo(1_333.4, 1);
  expect(large.advice.join(' ')).toMatch(/10 gateway.+PgBouncer/);

  const huge = plan(1_000_000, 2_000_000);
  expect(huge.processes.gateway).toBe(100);
  expect(huge.advice.join(' ')).toMatch(/replica.+Web PubSub/);
});

test('disk follows the number of readings and the time that they are stored', () => {
  const often = plan(100_000, 200_000, 10).database;
  expect(plan(100_000, 200_000, 60).database.readingsGb).toBeCloseTo(often.readingsGb / 6);
  expect(plan(100_000, 200_000, 10, { readingDays: 198 }).database.readingsGb).toBeCloseTo(often.readingsGb / 2);
  // 48 million readings a day.
  expect(often.readingsGb).toBeCloseTo((48e6 * 396 * 169) / 1e9);
  expect(plan(100_000, 200_000, 60).database.operationsGb).toBe(often.operationsGb);
});

function scale(...words: string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [`${root}scripts/scale.ts`, ...words], (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: out + err }),
    );
  });
}

test('the command prints the plan, and the usage for what is not a number', async () => {
  const [good, bad] = await Promise.all([
    scale('--charge-points', '100000', '--charges-per-day', '200000', '--interval', '10'),
    scale('--charge-points', 'many', '--charges-per-day', '1'),
  ]);
  expect(good).toMatchObject({ code: 0, out: expect.stringMatching(/gateway processes .+10 \(/) });
  expect(bad).toMatchObject({ code: 2, out: expect.stringContaining('--charge-points must be a number above 0') });
});
