import { vi } from 'vitest';

/**
 * For every test: what is waited for may take long on a busy machine. A wait ends as soon as its condition holds, so the
 * longer limit costs a passing test nothing.
 */
const patienceMs = 10_000;
const { waitFor } = vi;
vi.waitFor = (condition, options) =>
  waitFor(condition, typeof options === 'number' ? options : { timeout: patienceMs, ...options });
