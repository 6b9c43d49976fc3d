import { defineConfig } from 'vitest/config';

/** Long runs: the full scale of what `npm test` tries on a small scale, and what takes too long for it. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    environment: 'node',
    include: [
      'apps/server/src/**/*.proof.ts',
      'apps/server/src/charging/limit/limit-accuracy.test.ts',
      'apps/server/src/charging/staff/kill.test.ts',
    ],
    globalSetup: 'apps/server/src/testing/test-cluster.ts',
    // Each file measures times, so they run one after the other.
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
  },
});
