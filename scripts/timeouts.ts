import { vi } from 'vitest';

/**
 * For every test: a wait may take long on a busy machine. It ends as soon as its condition is true, so the longer limit
 * costs a passing test nothing.
 */
const waitTimeoutMs = 10_000;
const { waitFor } = vi;
vi.waitFor = (condition, options) =>
  waitFor(condition, typeof options === 'number' ? options : { timeout: waitTimeoutMs, ...options });
