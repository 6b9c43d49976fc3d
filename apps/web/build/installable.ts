import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** Pages that must open offline with their texts: the ones that a driver at a charger needs. */
const offlinePages = ['/station/:station', '/station/v/:station', '/status/:operation', '/active', '/auth', '/offline'];
/** Parts of the shell that are loaded after the first page. */
const offlineParts = /^assets\/(menu-panel|popup-host|popup-frame|overlay|later-steps|refusals)-/;
/** The stylesheet of the back office is not for drivers. */
const always = /^(index\.html|theme\.js|icon\.svg|assets\/(?!staff-frame-).*\.(css|woff2))$/;

const shortcutIcon = (name: string) => ({ src: `/shortcut-${name}.png`, sizes: '96x96', type: 'image/png' });

/**
 * The installable app, and a service worker that caches its shell. Everything that the worker precaches is loaded on
 * the first visit, so the map, the scanner and the back office are cached only after they were opened.
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
    // Its types refer to another copy of Vite.
    ...(VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/service-worker',
      filename: 'sw.ts',
      // The page registers the worker itself after its first screen is shown.
      injectRegister: false,
      // The system stores the icons of an installed app.
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
          { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
        categories: ['navigation', 'travel'],
        shortcuts: [
          { name: 'Сканувати QR', short_name: 'Скан', url: '/qr', icons: [shortcutIcon('scan')] },
          { name: 'Мапа станцій', short_name: 'Мапа', url: '/map', icons: [shortcutIcon('map')] },
          { name: 'Мої зарядки', short_name: 'Зарядки', url: '/active', icons: [shortcutIcon('sessions')] },
        ],
      },
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['index.html', 'theme.js', 'icon.svg', 'assets/*.{js,css,woff2}'],
        dontCacheBustURLsMatching: /^assets\//,
        manifestTransforms: [
          (entries) => {
            const offline = offlineFiles(outDir);
            return { manifest: entries.filter(({ url }) => always.test(url) || offline.has(url)) };
          },
        ],
      },
    }) as unknown as Plugin[]),
  ];
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
