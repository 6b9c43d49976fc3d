import type { Plugin } from 'vite';

/** One property of a declared call, with its text on the same line or on the next one. */
const summary = /^\s+summary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\n/gm;

/**
 * The summaries of calls are for the API document of the server. In the browser they would be most of a declared call, and
 * those of sign-in and of the station's page are in the first load.
 */
export function withoutSummaries(): Plugin {
  return {
    name: 'fpay-without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\/.*\.ts$/ },
      handler: (code) => ({ code: code.replace(summary, ''), map: null }),
    },
  };
}
