import type { Plugin } from 'vite';
import { firstPages } from './first-chunks.ts';

/** Chromium reads it: compile every function while the file travels, on another thread, not at its first call on ours. */
const hint = '//# allFunctionsCalledOnLoad\n';

/** What a first page fetches by itself as soon as it runs. */
const fetchedByThem = ['/features/map/canvas/open-layers.ts'];

/**
 * Marks the code that the first pages run at once. Left alone, the engine first only looks over a function and compiles it
 * when it is called: a third of what the page's own thread does before the connectors show. Others ignore the comment.
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
