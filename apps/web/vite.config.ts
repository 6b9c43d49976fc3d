import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { firstChunks } from './build/first-chunks.ts';
import { precompress } from './build/precompress.ts';
import { preloadTexts } from './build/preload-texts.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? 8080}`;
const proxy = {
  '/api': server,
  '/sanctum': server,
  '/realtime': { target: server, ws: true },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadTexts(), precompress()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  test: {
    // One jsdom per worker instead of one per file: a quarter of the time, and files still do not see each other.
    pool: 'vmThreads',
  },
  build: {
    // A data: address for a small picture would need a hole in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // A declared call that no page makes leaves no trace in the bundle.
      treeshake: { manualPureFunctions: ['endpoint'] },
      output: {
        codeSplitting: {
          groups: [{ name: firstChunks(), debugName: 'first' }],
        },
      },
    },
  },
});
