import { readFile } from 'node:fs/promises';

interface Counts {
  passed: number;
  failed: number;
}

/** How the JSON report of each runner is counted. */
const readers = {
  vitest: (report: unknown): Counts => ({
    passed: numberAt(report, 'numPassedTests'),
    // A file that does not load has no failed test, but it has failed.
    failed: numberAt(report, 'numFailedTests') || numberAt(report, 'numFailedTestSuites'),
  }),
  playwright: (report: unknown): Counts => ({
    passed: numberAt(report, 'stats', 'expected') + numberAt(report, 'stats', 'flaky'),
    failed: numberAt(report, 'stats', 'unexpected'),
  }),
};

export type Reporter = keyof typeof readers;

/** Returns zeros when the runner ended before it wrote its report. */
export async function readCounts(reporter: Reporter, file: string): Promise<Counts> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? { passed: 0, failed: 0 } : readers[reporter](JSON.parse(text));
}

/** One test with its duration. */
export interface Duration {
  file: string;
  title: string;
  ms: number;
}

interface VitestFile {
  name: string;
  assertionResults: { fullName: string; duration?: number | null }[];
}

interface PlaywrightSuite {
  file: string;
  specs?: { title: string; tests: { results: { duration: number }[] }[] }[];
  suites?: PlaywrightSuite[];
}

function ofSuite({ file, specs = [], suites = [] }: PlaywrightSuite): Duration[] {
  const own = specs.map(({ title, tests }) => {
    const results = tests.flatMap((test) => test.results);
    return { file, title, ms: results.reduce((sum, { duration }) => sum + duration, 0) };
  });
  return [...own, ...suites.flatMap(ofSuite)];
}

const durations = {
  vitest: ({ testResults = [] }: { testResults?: VitestFile[] }): Duration[] =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.flatMap(({ fullName, duration }) =>
        typeof duration === 'number' ? [{ file: name, title: fullName, ms: duration }] : [],
      ),
    ),
  playwright: ({ suites = [] }: { suites?: PlaywrightSuite[] }): Duration[] => suites.flatMap(ofSuite),
};

/** Returns an empty list when the runner ended before it wrote its report. */
export async function readDurations(reporter: Reporter, file: string): Promise<Duration[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? [] : durations[reporter](JSON.parse(text));
}

/** The slowest first, one per line. */
export function slowestTests(tests: readonly Duration[], { most, root }: { most: number; root: string }): string {
  return tests
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, most)
    .map(({ file, title, ms }) => {
      const path = file.startsWith(root) ? file.slice(root.length) : file;
      return `${(ms / 1000).toFixed(1).padStart(6)} s  ${path}: ${title}`;
    })
    .join('\n');
}

function numberAt(report: unknown, ...path: string[]): number {
  let value = report;
  for (const name of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof value !== 'number') throw new Error(`The test report has no number at ${path.join('.')}.`);
  return value;
}
