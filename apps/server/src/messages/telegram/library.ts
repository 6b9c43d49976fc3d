import { createRequire } from 'node:module';

/** Loaded with the first use, because a network without a bot would otherwise spend 20 MB of memory on it. */
export function loadGrammy(): typeof import('grammy') {
  return createRequire(import.meta.url)('grammy');
}
