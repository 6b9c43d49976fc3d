import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failureList, type Reporter, readCounts, readDurations, readFailures, slowestTests } from './test-report.ts';

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

it('counts nothing when a runner ended before its report', async () => {
  expect(await readCounts('vitest', join(dir, 'none.json'))).toEqual({ passed: 0, failed: 0 });
});

const vitestReport = {
  testResults: [
    {
      name: '/project/apps/a.test.ts',
      assertionResults: [
        { fullName: 'quick', duration: 3 },
        { fullName: 'slow', duration: 4_100 },
      ],
    },
    // A file that does not load has no tests, and a skipped test has no duration.
    { name: '/project/apps/b.test.ts', assertionResults: [{ fullName: 'skipped' }] },
  ],
};
const playwrightReport = {
  suites: [
    {
      file: 'map.spec.ts',
      specs: [{ title: 'the map opens', tests: [{ results: [{ duration: 2_000 }, { duration: 500 }] }] }],
      suites: [{ file: 'map.spec.ts', specs: [{ title: 'it zooms', tests: [{ results: [{ duration: 900 }] }] }] }],
    },
  ],
};

it('reads the duration of each test and adds up the retries of a browser test', async () => {
  const written = async (name: string, report: object) => {
    const file = join(dir, name);
    await writeFile(file, JSON.stringify(report));
    return file;
  };
  expect(await readDurations('vitest', await written('durations.json', vitestReport))).toEqual([
    { file: '/project/apps/a.test.ts', title: 'quick', ms: 3 },
    { file: '/project/apps/a.test.ts', title: 'slow', ms: 4_100 },
  ]);
  expect(await readDurations('playwright', await written('browser.json', playwrightReport))).toEqual([
    { file: 'map.spec.ts', title: 'the map opens', ms: 2_500 },
    { file: 'map.spec.ts', title: 'it zooms', ms: 900 },
  ]);
  expect(await readDurations('vitest', join(dir, 'none.json'))).toEqual([]);
});

it('lists the slowest tests first, with their files relative to the root', () => {
  const test = (title: string, ms: number) => ({ file: '/project/apps/a.test.ts', title, ms });
  expect(slowestTests([test('one', 20), test('two', 12_345), test('three', 900)], { most: 2, root: '/project/' })).toBe(
    '  12.3 s  apps/a.test.ts: two\n   0.9 s  apps/a.test.ts: three',
  );
});

it('lists the tests that failed and the files that did not load, each with its reason', async () => {
  const vitest = {
    testResults: [
      {
        name: '/project/apps/a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'fine', status: 'passed' },
          { fullName: 'wrong', status: 'failed', failureMessages: ['Error: expected 1 to be 2\n    at a.test.ts:3'] },
          {
            fullName: 'proof',
            status: 'failed',
            failureMessages: ['Error: 1 wrong\ndriver 5: paid 2\n    at prove (/project/apps/a.test.ts:9:1)'],
          },
        ],
      },
      { name: '/project/apps/b.test.ts', status: 'failed', assertionResults: [] },
      { name: '/project/apps/c.test.ts', status: 'passed', assertionResults: [{ fullName: 'fine', status: 'passed' }] },
    ],
  };
  const late = {
    duration: 5_000,
    errors: [
      {
        message: 'Error: \u001b[2mexpect(\u001b[22mlocator).toBeVisible\n\nLocator: getByText(Kyiv)\n  Timeout: 5000ms',
      },
    ],
  };
  const playwright = {
    suites: [
      {
        file: 'map.spec.ts',
        suites: [{ file: 'map.spec.ts', specs: [{ title: 'it zooms', ok: false, tests: [{ results: [late] }] }] }],
        specs: [{ title: 'it opens', ok: true, tests: [] }],
      },
    ],
  };
  const [one, other] = [join(dir, 'failed.json'), join(dir, 'failed-browser.json')];
  await writeFile(one, JSON.stringify(vitest));
  await writeFile(other, JSON.stringify(playwright));
  const failed = [...(await readFailures('vitest', one)), ...(await readFailures('playwright', other))];
  expect(failureList(failed, '/project/').split('\n')).toEqual([
    '  apps/a.test.ts: wrong',
    '      Error: expected 1 to be 2',
    '  apps/a.test.ts: proof',
    '      Error: 1 wrong',
    '      driver 5: paid 2',
    '  apps/b.test.ts: the whole file',
    '  map.spec.ts: it zooms',
    '      Error: expect(locator).toBeVisible',
    '      Locator: getByText(Kyiv)',
    '      Timeout: 5000ms',
  ]);
  expect(await readFailures('vitest', join(dir, 'none.json'))).toEqual([]);
});
