import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** Pages that must open without a network, with what they say: a driver at a charger needs these and no others. */
const keptPages = ['/station/:station', '/station/v/:station', '/status/:transaction', '/active', '/auth', '/offline'];
/** Parts of the shell that come after the first page. */
const keptParts = /^assets\/(menu-panel|popup-host|popup-frame|overlay|later-steps|refusals)-/;
const always = /^(index\.html|theme\.js|icon\.svg|assets\/.*\.(css|woff2))$/;

/**
 * The app on the home screen, and a service worker that keeps its shell. Everything the worker keeps is fetched on the
 * first visit, so the map, the scanner and the back office are kept only once they were opened.
 */
export function installable(): Plugin[] {
  let outDir = '';
  return [
    {
      name: 'fpay-installable',
      configResolved(config) {
        outDir = resolve(config.root, config.build.outDir);
      },
    },
    // Its types speak of another copy of Vite.
    ...(VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/service-worker',
      filename: 'sw.ts',
      // The page registers it by itself, once its first screen stands.
      injectRegister: false,
      // The system keeps the icons of an app it installs.
      includeManifestIcons: false,
      manifest: {
        name: 'FPay',
        short_name: 'FPay',
        description: 'Зарядка електромобілів',
        lang: 'uk',
        id: '/',
        start_url: '/',
        display: 'standalone',
        background_color: '#F2F4F0',
        theme_color: '#F2F4F0',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
        shortcuts: [{ name: 'Сканувати QR', url: '/qr', icons: [{ src: '/icon-192.png', sizes: '192x192' }] }],
      },
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['index.html', 'theme.js', 'icon.svg', 'assets/*.{js,css,woff2}'],
        dontCacheBustURLsMatching: /^assets\//,
        manifestTransforms: [
          (entries) => {
            const kept = keptFiles(outDir);
            return { manifest: entries.filter(({ url }) => always.test(url) || kept.has(url)) };
          },
        ],
      },
    }) as unknown as Plugin[]),
  ];
}

function keptFiles(outDir: string): Set<string> {
  const read = (file: string) => readFileSync(resolve(outDir, file), 'utf8');
  const pages = JSON.parse(read('pages.json')) as { path: string; files: string[]; words: Record<string, string[]> }[];
  const start = Array.from(
    read('index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g),
    ([, file = '']) => file,
  );
  const ofPages = pages
    .filter(({ path }) => keptPages.includes(path))
    .flatMap(({ files, words }) => [...files, ...Object.values(words).flat()]);
  const own = [...start, ...ofPages.map((file) => file.slice(1))];
  const later = readdirSync(resolve(outDir, 'assets')).map((file) => `assets/${file}`);
  return withImports([...own, ...later.filter((file) => keptParts.test(file) && file.endsWith('.js'))], read);
}

/** A file is of no use without those it imports. */
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
