import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const timeouts = fileURLToPath(new URL('scripts/timeouts.ts', import.meta.url));

/** These take half a minute and more. They start first, because otherwise the run would wait for them at its end. */
const slow =
  /(checks\/fuzz|charging\/\w+\/(races|running|long-times|limit-accuracy|watchdog|sequences)|charging\/field-problems|payments\/(crash|doubtful-bank)|ocpp\/scenarios)\.test\.ts$/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

// Files that tests write (`-u`) are made from all runs, and not from the slice that the commit chooses.
if (process.argv.some((arg) => arg === '-u' || arg === '--update')) process.env.TEST_ALL = '1';

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    // A run of one file takes a third less; what is stored is found by its content, so runs beside each other can share it.
    fsModuleCache: true,
    projects: [
      {
        test: {
          name: 'parts',
          environment: 'node',
          include: ['{apps/simulator,apps/sandbox,packages,scripts}/**/*.test.ts'],
          // A worker loads the modules once for all its files, which have no state of their own.
          isolate: false,
          setupFiles: timeouts,
          testTimeout: 20_000,
          maxWorkers: 4,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['apps/server/**/*.test.ts'],
          globalSetup: 'apps/server/src/testing/test-cluster.ts',
          // As above: the modules of the server are the larger part of a short test file.
          isolate: false,
          setupFiles: timeouts,
          // Real sockets, processes and databases may be slow on a busy machine.
          testTimeout: 20_000,
          // Most tests wait for sockets, timers and the database, so there are more workers than cores.
          maxWorkers: 4,
          hookTimeout: 30_000,
        },
      },
      {
        extends: 'apps/web/vite.config.ts',
        root: 'apps/web',
        test: {
          name: 'web',
          environment: 'jsdom',
          setupFiles: timeouts,
          // A busy machine must not fail the tests.
          testTimeout: 20_000,
          maxWorkers: 4,
          include: ['src/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
