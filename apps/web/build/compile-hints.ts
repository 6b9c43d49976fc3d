import type { Plugin } from 'vite';
import { firstPages } from './first-chunks.ts';

/**
 * Chromium reads this hint and compiles every function on another thread while the file is loading, instead of at its
 * first call on the main thread.
 */
const hint = '//# allFunctionsCalledOnLoad\n';

/** What a first page loads by itself as soon as it runs. */
const fetchedByThem = ['/features/map/canvas/open-layers.ts'];

/**
 * Marks the code that the first pages run at once. Without the hint, the engine compiles a function when it is called,
 * which is a third of the main thread's work before the connectors are shown. Other engines ignore the comment.
 */
export function compileHints(): Plugin {
  return {
    name: 'fpay-compile-hints',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const isFirst = (id: string | null) => [...firstPages, ...fetchedByThem].some((page) => id?.endsWith(page));
        const waiting = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || isFirst(facadeModuleId));
        const marked = new Set<string>();
        for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
          if (marked.has(chunk.fileName)) continue;
          marked.add(chunk.fileName);
          chunk.code = hint + chunk.code;
          const { imports } = chunk;
          waiting.push(...chunks.filter(({ fileName }) => imports.includes(fileName)));
        }
      },
    },
  };
}
