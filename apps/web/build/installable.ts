import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, type Plugin } from 'vite';

/** Pages that must open offline with their texts: the ones that a driver at a charger needs. */
const offlinePages = ['/station/:station', '/station/v/:station', '/status/:operation', '/active', '/auth', '/offline'];
/** Parts of the shell that are loaded after the first page. */
const offlineParts = /^assets\/(menu-panel|popup-host|popup-frame|overlay|later-steps|refusals)-/;
/** The stylesheet of the back office is not for drivers. */
const always = /^(index\.html|theme\.js|icon\.svg|manifest\.webmanifest|assets\/(?!staff-frame-).*\.(css|woff2))$/;
const candidates = ['index.html', 'theme.js', 'icon.svg', 'manifest.webmanifest', 'assets/*.{js,css,woff2}'];

const shortcutIcon = (name: string) => ({ src: `/shortcut-${name}.png`, sizes: '96x96', type: 'image/png' });

const manifest = {
  name: 'FPay',
  short_name: 'FPay',
  description: 'Зарядка електромобілів',
  lang: 'uk',
  id: '/',
  scope: '/',
  start_url: '/',
  display: 'standalone',
  background_color: '#F2F4F0',
  theme_color: '#F2F4F0',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
  categories: ['navigation', 'travel'],
  shortcuts: [
    { name: 'Сканувати QR', short_name: 'Скан', url: '/qr', icons: [shortcutIcon('scan')] },
    { name: 'Мапа станцій', short_name: 'Мапа', url: '/map', icons: [shortcutIcon('map')] },
    { name: 'Активні зарядки', short_name: 'Активні', url: '/active', icons: [shortcutIcon('sessions')] },
  ],
};

/**
 * The installable app, and a service worker that caches its shell. Everything that the worker precaches is loaded on
 * the first visit, so the map, the scanner and the back office are cached only after they were opened.
 */
export function installable(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'fpay-installable',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = resolve(root, config.build.outDir);
    },
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
    ],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) });
    },
    // The worker names the files of the build, so it is built after them.
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: () => buildWorker(resolve(root, 'src/service-worker/sw.ts'), outDir),
    },
  };
}

async function buildWorker(source: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { 'self.__FILES': JSON.stringify(shellFiles(outDir)) },
    build: {
      outDir,
      emptyOutDir: false,
      rolldownOptions: { input: source, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  });
}

/** Names in `assets` have a hash of their content already; a file that keeps its name has a revision. */
function shellFiles(outDir: string): { url: string; revision: string | null }[] {
  const offline = offlineFiles(outDir);
  return globSync(candidates, { cwd: outDir })
    .filter((url) => always.test(url) || offline.has(url))
    .sort()
    .map((url) => ({ url, revision: url.startsWith('assets/') ? null : revisionOf(resolve(outDir, url)) }));
}

function revisionOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}

function offlineFiles(outDir: string): Set<string> {
  const read = (file: string) => readFileSync(resolve(outDir, file), 'utf8');
  const pages = JSON.parse(read('pages.json')) as { path: string; files: string[]; words: Record<string, string[]> }[];
  const start = Array.from(
    read('index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g),
    ([, file = '']) => file,
  );
  const ofPages = pages
    .filter(({ path }) => offlinePages.includes(path))
    .flatMap(({ files, words }) => [...files, ...Object.values(words).flat()]);
  const own = [...start, ...ofPages.map((file) => file.slice(1))];
  const later = readdirSync(resolve(outDir, 'assets')).map((file) => `assets/${file}`);
  return withImports([...own, ...later.filter((file) => offlineParts.test(file) && file.endsWith('.js'))], read);
}

/** A file is useless without its imports. */
function withImports(files: string[], read: (file: string) => string): Set<string> {
  const found = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    waiting.push(
      ...Array.from(read(file).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g), ([, name]) => `assets/${name}`),
    );
  }
  return found;
}
