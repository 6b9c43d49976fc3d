import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const patience = fileURLToPath(new URL('scripts/patience.ts', import.meta.url));

/** They take half a minute and more: begun last, one of them would keep all the others waiting at the end. */
const slow =
  /(src\/fuzz|charging\/(races|running|long-times|limit-accuracy|field-problems|watchdog)|payments\/(crash|doubtful-bank)|ocpp\/scenarios)\.test\.ts$/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['{apps/server,apps/simulator,apps/sandbox,packages,scripts}/**/*.test.ts'],
          globalSetup: 'apps/server/src/testing/test-cluster.ts',
          setupFiles: patience,
          // Real sockets, processes and databases: on a busy machine they may take their time, but never for ever.
          testTimeout: 20_000,
          // Most wait for sockets, timers and the database rather than compute: more hands than cores.
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
          setupFiles: patience,
          // As above: a busy machine is no failure.
          testTimeout: 20_000,
          maxWorkers: 4,
          include: ['src/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
