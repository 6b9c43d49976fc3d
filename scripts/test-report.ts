import { readFile } from 'node:fs/promises';

interface Counts {
  passed: number;
  failed: number;
}

/** How each runner's own JSON report counts. */
const readers = {
  vitest: (report: unknown): Counts => ({
    passed: numberAt(report, 'numPassedTests'),
    // A file that does not even load has no failed test, but it has failed.
    failed: numberAt(report, 'numFailedTests') || numberAt(report, 'numFailedTestSuites'),
  }),
  playwright: (report: unknown): Counts => ({
    passed: numberAt(report, 'stats', 'expected') + numberAt(report, 'stats', 'flaky'),
    failed: numberAt(report, 'stats', 'unexpected'),
  }),
};

export type Reporter = keyof typeof readers;

/** Nothing at all when the runner ended before it could write its report. */
export async function readCounts(reporter: Reporter, file: string): Promise<Counts> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? { passed: 0, failed: 0 } : readers[reporter](JSON.parse(text));
}

function numberAt(report: unknown, ...path: string[]): number {
  let value = report;
  for (const name of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof value !== 'number') throw new Error(`The test report has no number at ${path.join('.')}.`);
  return value;
}
