import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** What a page may load with an empty cache: a second on a slow network, and about as much time to run. */
const mostBytes = 110 * 1024;
const pages = ['/station/:station', '/auth'];
/** The libraries of the map and the scanner are loaded only by their own pages. */
const heavy = /\/node_modules\/(ol|supercluster|qr)\//;

/** Fails the build when the first load of a page that drivers open first exceeds its budget, as served with brotli. */
export function budget(): Plugin {
  let outDir = '';
  const modules = new Map<string, string[]>();
  return {
    name: 'fpay-budget',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') modules.set(`/${file.fileName}`, file.moduleIds);
      }
    },
    closeBundle: {
      order: 'post',
      // After compression, because the compressed size is what is sent.
      sequential: true,
      handler() {
        const html = readFileSync(join(outDir, 'index.html'), 'utf8');
        const start = Array.from(html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g), ([, file = '']) => file);
        const declared = JSON.parse(readFileSync(join(outDir, 'pages.json'), 'utf8')) as {
          path: string;
          files: string[];
          words: Record<string, string[]>;
          landing: { files: string[] } | null;
        }[];
        // A visitor who scanned a code gets the sign-in page with the station on it.
        const landing = declared.find(({ path }) => path === pages[0])?.landing?.files ?? [];
        for (const path of pages) {
          const page = declared.find((other) => other.path === path);
          if (!page) throw new Error(`${path} is not among the pages, so its size is unknown`);
          for (const [language, words] of Object.entries(page.words)) {
            check(path, language, [...start, ...page.files, ...words]);
            if (path === '/auth') check('/auth after a scan', language, [...start, ...landing, ...words]);
          }
        }
      },
    },
  };

  function check(path: string, language: string, files: string[]): void {
    const bytes = files.reduce((sum, file) => sum + weightOf(join(outDir, file)), 0);
    if (bytes > mostBytes) throw new Error(overweight(path, language, files, bytes));
    const wrong = files.find((file) => modules.get(file)?.some((id) => heavy.test(id)));
    if (wrong) throw new Error(`${path} would load ${wrong}, which contains code of the map or the scanner`);
  }

  function overweight(path: string, language: string, files: string[], bytes: number): string {
    const list = files.map((file) => `  ${String(weightOf(join(outDir, file))).padStart(7)} ${file}`).join('\n');
    return `${path} in ${language} loads ${bytes} bytes of JavaScript; it may load ${mostBytes}:\n${list}`;
  }
}

function weightOf(file: string): number {
  return (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size;
}
