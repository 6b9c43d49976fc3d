import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import type { Plugin } from 'vite';
import { textsOf } from './texts.ts';

/**
 * The format that the server reads: the files that a page needs beside those of `index.html`, by language of its texts.
 */
interface PageFiles {
  path: string;
  needsSignIn: boolean;
  files: string[];
  words: Record<string, string[]>;
  /** The HTML of the page before its code runs, by language; the server fills in what it knows: `{{number}}`. */
  firstPaint: Record<string, string>;
  /** For a visitor, who sees this page's subject on the sign-in page; null for most pages. */
  landing: { files: string[]; firstPaint: Record<string, string> } | null;
}

interface Chunk {
  type: 'chunk';
  fileName: string;
  facadeModuleId: string | null;
  moduleIds: string[];
  imports: string[];
  isEntry: boolean;
  viteMetadata?: { importedCss: Set<string> };
}

export const routeFiles = ['driver.ts', 'account.ts', 'admin.ts'];
/** The pages that a driver opens first start with real text instead of the loading animation. */
const firstPaints: Record<string, string> = {
  '/station/:station': 'station.html',
  '/station/v/:station': 'station.html',
  '/auth': 'auth.html',
};
/** A station is shown on the sign-in page before its visitor signs in. */
const landings: Record<string, { module: string; firstPaint: string }> = Object.fromEntries(
  ['/station/:station', '/station/v/:station'].map((path) => [
    path,
    { module: '/features/stations/landing/station-landing.tsx', firstPaint: 'landing.html' },
  ]),
);
/** Loads the form or the landing, whichever its visitor sees first. */
const signInShell = '/app/pages/sign-in.tsx';
const signInForm = '/features/account/sign-in-page.tsx';
const shellWords = ['generic', 'menu'];
/** Around every staff page: its declaration, its frame and the texts of the frame. */
const staffFrame = {
  under: /^\/admin(\/|$)/,
  modules: ['/app/routes/admin.ts', '/shell/staff-frame.tsx'],
  texts: ['admin'],
};

/**
 * Writes `pages.json`. A page's code is requested only when the first script runs. The server knows the address at
 * once, so it names the files in the HTML and everything is loaded in parallel.
 */
export function pageFiles(): Plugin {
  let root = '';
  return {
    name: 'fpay-page-files',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk') as Chunk[];
        const routes = join(root, 'src/app/routes');
        const declared = routeFiles.flatMap((file) => pagesDeclaredIn(readFileSync(join(routes, file), 'utf8')));
        const pages = declared.map(({ path, module, texts, needsSignIn }): PageFiles => {
          const isStaff = staffFrame.under.test(path);
          const modules = [
            join(routes, module),
            ...(path === '/auth' ? [signInForm] : []),
            ...(isStaff ? staffFrame.modules : []),
          ];
          const files = [...new Set(modules.flatMap((one) => filesOf(one, chunks)))];
          const words = languages.map((language) => [
            language,
            [...shellWords, ...texts, ...(isStaff ? staffFrame.texts : [])].flatMap((text) =>
              filesOf(`/texts/${language}/${text}.json`, chunks),
            ),
          ]);
          return {
            path,
            needsSignIn,
            files,
            words: unique(Object.fromEntries(words)),
            firstPaint: firstPaintOf(firstPaints[path], join(root, 'src')),
            landing: landingOf(path, chunks, join(root, 'src')),
          };
        });
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
      },
    },
  };
}

/** A declaration begins with its path, its code and its texts in this order; tests compare it with the real ones. */
export function pagesDeclaredIn(source: string) {
  // What two declarations share is written once and spread.
  const whole = Array.from(source.matchAll(/const (\w+) = \{ (load: .*) \} as const;/g)).reduce(
    (code, [, name, shared = '']) => code.replaceAll(`...${name}`, shared),
    source,
  );
  const declaration = /path: '([^']+)',\s*load: \(\) => import\('([^']+)'\)(?:,\s*texts: \[([^\]]*)\])?([^}]*)/g;
  return Array.from(whole.matchAll(declaration), ([, path = '', module = '', texts = '', rules = '']) => ({
    path,
    module,
    needsSignIn: /\b(signIn: true|needs:|partyMembers: true)/.test(rules),
    texts: Array.from(texts.matchAll(/'(\w+)'/g), ([, name = '']) => name),
  }));
}

/** The chunk of a module with all its imports and their styles, without what the entry loads anyway. */
function filesOf(module: string, chunks: Chunk[]): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const collect = (names: string[], found = new Set<string>()): Set<string> => {
    for (const name of names) {
      if (found.has(name)) continue;
      found.add(name);
      collect(byName.get(name)?.imports ?? [], found);
    }
    return found;
  };
  const start = collect(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  const own = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
  if (!own) throw new Error(`No chunk contains ${module}`);
  const scripts = [...collect([own.fileName])].filter((name) => !start.has(name));
  const styles = scripts.flatMap((name) => [...(byName.get(name)?.viteMetadata?.importedCss ?? [])]);
  return [...scripts, ...styles].map((name) => `/${name}`);
}

function landingOf(path: string, chunks: Chunk[], source: string): PageFiles['landing'] {
  const landing = landings[path];
  if (!landing) return null;
  const files = [signInShell, landing.module].flatMap((module) => filesOf(module, chunks));
  return { files: [...new Set(files)], firstPaint: firstPaintOf(landing.firstPaint, source) };
}

function unique(words: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(words).map(([language, files]) => [language, [...new Set(files)]]));
}

/** Replaces `[[auth:phone]]` with its text; what only the server knows stays as `{{number}}`. */
function firstPaintOf(file: string | undefined, source: string): Record<string, string> {
  if (!file) return {};
  const html = readFileSync(join(source, 'app/first-paint', file), 'utf8').replace(/\n\s*/g, '');
  const inLanguage = (language: Language) =>
    html.replace(/\[\[(\w+):(\w+)\]\]/g, (key, namespace: string, name: string) => {
      const found = textsOf(language, namespace)[name];
      if (found === undefined) throw new Error(`${file} uses ${key}, which is no text`);
      return found;
    });
  return Object.fromEntries(languages.map((language) => [language, inLanguage(language)]));
}
