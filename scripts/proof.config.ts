import { defineConfig } from 'vitest/config';

/** The long runs: what `npm test` tries on a small scale, in full, and what takes too long for it. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    environment: 'node',
    include: ['apps/server/src/**/*.proof.ts', 'apps/server/src/charging/limit-accuracy.test.ts'],
    globalSetup: 'apps/server/src/testing/test-cluster.ts',
    // Each measures times: one after the other, and nothing beside.
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
  },
});
