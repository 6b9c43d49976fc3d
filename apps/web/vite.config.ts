import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { browserContract } from './build/browser-contract.ts';
import { budget } from './build/budget.ts';
import { compileHints } from './build/compile-hints.ts';
import { firstChunks } from './build/first-chunks.ts';
import { installable } from './build/installable.ts';
import { pageFiles } from './build/page-files.ts';
import { precompress } from './build/precompress.ts';
import { styleFirst } from './build/style-first.ts';
import { standInTexts } from './build/texts.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? 8080}`;
const proxy = {
  '/api': server,
  '/sanctum': server,
  '/realtime': { target: server, ws: true },
};

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    browserContract(),
    standInTexts(),
    pageFiles(),
    compileHints(),
    styleFirst(),
    !process.env.VITEST && installable(),
    precompress(),
    budget(),
  ],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  test: {
    // One jsdom per worker instead of one per file takes a quarter of the time, and files are still isolated.
    pool: 'vmThreads',
  },
  build: {
    // A data: address for a small picture would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A browser without support only loads a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A declared call that no page uses is removed from the bundle.
      treeshake: { manualPureFunctions: ['endpoint'] },
      output: {
        // The first file contains the names of all later ones, so only those that tests look for are readable; seven
        // characters still differ between releases.
        chunkFileNames: ({ name }) =>
          /^(?:(?:station|history|map|qr)-page|parts-of-sign-in(?:-page)?|words-..|libraries|debug|decode)$/.test(name)
            ? 'assets/[name]-[hash:7].js'
            : 'assets/[hash:7].js',
        codeSplitting: {
          groups: firstChunks(),
        },
      },
    },
  },
});
