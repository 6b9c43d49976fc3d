import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

const reasonLines = 8;

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
  status?: string;
  assertionResults: { fullName: string; status?: string; duration?: number | null; failureMessages?: string[] }[];
}

interface PlaywrightResult {
  duration: number;
  errors?: { message?: string }[];
}

interface PlaywrightSuite {
  file: string;
  specs?: { title: string; ok?: boolean; tests: { results: PlaywrightResult[] }[] }[];
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

/** One test that failed, or a file that did not load. */
export interface Failure {
  file: string;
  title: string;
  /** The first lines of the error; empty when the report does not have it. */
  reason: string;
}

/**
 * The first lines of a message. Playwright tells what it waited for below the first line, and colours it; a proof lists
 * what is wrong. Vitest ends its messages with the stack, which is no reason.
 */
function firstLines(message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stackAt = lines.findIndex((line) => /^at .+:\d+\)?$/.test(line));
  return lines.slice(0, Math.min(reasonLines, stackAt < 0 ? lines.length : stackAt)).join('\n      ');
}

const reasonIn = (results: readonly PlaywrightResult[]) =>
  firstLines(results.flatMap(({ errors = [] }) => errors)[0]?.message);

const failuresOfSuite = ({ file, specs = [], suites = [] }: PlaywrightSuite): Failure[] => [
  ...specs
    .filter(({ ok }) => ok === false)
    .map(({ title, tests }) => ({ file, title, reason: reasonIn(tests.flatMap(({ results }) => results)) })),
  ...suites.flatMap(failuresOfSuite),
];

const failures = {
  vitest: ({ testResults = [] }: { testResults?: VitestFile[] }): Failure[] =>
    testResults
      .filter(({ status }) => status === 'failed')
      .flatMap(({ name, assertionResults }) => {
        const failed = assertionResults.filter(({ status }) => status === 'failed');
        if (failed.length === 0) return [{ file: name, title: 'the whole file', reason: '' }];
        return failed.map(({ fullName, failureMessages = [] }) => ({
          file: name,
          title: fullName,
          reason: firstLines(failureMessages[0]),
        }));
      }),
  playwright: ({ suites = [] }: { suites?: PlaywrightSuite[] }): Failure[] => suites.flatMap(failuresOfSuite),
};

/** Returns an empty list when the runner ended before it wrote its report. */
export async function readFailures(reporter: Reporter, file: string): Promise<Failure[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? [] : failures[reporter](JSON.parse(text));
}

/** One per line, each with the reason below it. */
export function failureList(failed: readonly Failure[], root: string): string {
  return failed
    .map(({ file, title, reason }) => `  ${inProject(file, root)}: ${title}${reason && `\n      ${reason}`}`)
    .join('\n');
}

const inProject = (file: string, root: string) => (file.startsWith(root) ? file.slice(root.length) : file);

/** The slowest first, one per line. */
export function slowestTests(tests: readonly Duration[], { most, root }: { most: number; root: string }): string {
  return tests
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, most)
    .map(({ file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${inProject(file, root)}: ${title}`)
    .join('\n');
}

function numberAt(report: unknown, ...path: string[]): number {
  let value = report;
  for (const name of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof value !== 'number') throw new Error(`The test report has no number at ${path.join('.')}.`);
  return value;
}
