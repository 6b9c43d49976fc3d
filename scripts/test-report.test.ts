import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Reporter, readCounts } from './test-report.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fpay-report-'));
});
afterAll(() => rm(dir, { recursive: true }));

it.each<[string, Reporter, object, object]>([
  ['tests', 'vitest', { numPassedTests: 5, numFailedTests: 1, numFailedTestSuites: 2 }, { passed: 5, failed: 1 }],
  [
    'a file that does not load',
    'vitest',
    { numPassedTests: 5, numFailedTests: 0, numFailedTestSuites: 1 },
    { passed: 5, failed: 1 },
  ],
  ['browser tests', 'playwright', { stats: { expected: 3, flaky: 1, unexpected: 2 } }, { passed: 4, failed: 2 }],
])('counts %s', async (_, reporter, report, counts) => {
  const file = join(dir, `${reporter}.json`);
  await writeFile(file, JSON.stringify(report));
  expect(await readCounts(reporter, file)).toEqual(counts);
});

it('counts nothing where a runner ended before its report', async () => {
  expect(await readCounts('vitest', join(dir, 'none.json'))).toEqual({ passed: 0, failed: 0 });
});
