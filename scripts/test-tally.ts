import { sep } from 'node:path';
import {
  type Duration,
  type Failure,
  failureList,
  type Reporter,
  readCounts,
  readDurations,
  readFailures,
  slowestTests,
} from './test-report.ts';

export type Tally = ReturnType<typeof createTally>;

/** What all stages of a run found, for its end. */
export function createTally() {
  const total = { passed: 0, failed: 0 };
  const tests: Duration[] = [];
  const failed: Failure[] = [];
  const failedAgain: Failure[] = [];
  const unsteady: Failure[] = [];
  const root = process.cwd() + sep;
  const most = 20;
  return {
    /** Counts the report of a stage, and returns the files that did not pass. */
    async read(counts: Reporter, report: string) {
      tests.push(...(await readDurations(counts, report)));
      const notPassed = await readFailures(counts, report);
      return {
        count: await readCounts(counts, report),
        notPassed,
        files: [...new Set(notPassed.map(({ file }) => file))],
      };
    },
    add(count: typeof total, notPassed: Failure[], isFailed: boolean): void {
      total.passed += count.passed + (isFailed ? 0 : count.failed);
      total.failed += isFailed ? count.failed : 0;
      (isFailed ? failed : unsteady).push(...notPassed);
    },
    addRepeated(again: Failure[]): void {
      failedAgain.push(...again);
    },
    print(failure: string | null, took: string): void {
      // A stage without counted tests counts as one failure, so that the last line never looks like success.
      if (failure && total.failed === 0) total.failed = 1;
      console.log(`\nThe slowest ${most} tests:\n${slowestTests(tests, { most, root })}`);
      for (const [title, list] of [
        ['Unsteady, passed alone', unsteady],
        ['Failed', failed],
        ['Failed again, alone', failedAgain],
      ] as const) {
        if (list.length > 0) console.log(`\n${title}:\n${failureList(list, root)}`);
      }
      console.log(`\n${failure ? `FAILED at ${failure}` : 'All steps passed'} (${took})`);
      console.log(`${total.passed} passed, ${total.failed} failed`);
    },
  };
}
