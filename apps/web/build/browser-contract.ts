import type { Plugin } from 'vite';

/** Properties of a declared call or of a connector type or of a language that only the server reads, with values on one or more lines. */
const serverOnly = [
  /^\s+summary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\n/gm,
  /^\s+refusals:\s*\[[^\]]*\],\n/gm,
  /^\s+(?:ocpi|preview):\s*\{[^}]*\},\n/gm,
  // Without it, Ukrainian stands in.
  /^\s+standIn: null,\n/gm,
  /^\s+(?:openInMaintenance|beforeConfirmation):\s*(?:true|false),\n/gm,
];

/**
 * The contract as the browser needs it. What only the server reads of a declared call would be most of its bytes, and the calls of
 * sign-in and of the station's page are in the first load.
 */
export function browserContract(): Plugin {
  return {
    name: 'fpay-browser-contract',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\/(?!refusals|endpoint\.).*\.ts$/ },
      handler: (code) => ({ code: serverOnly.reduce((rest, property) => rest.replace(property, ''), code), map: null }),
    },
  };
}
