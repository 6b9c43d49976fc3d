import type { Plugin } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/;

/**
 * Puts the stylesheet before everything else that the page loads. Nothing is visible without it, and a browser opens
 * only six connections, so behind the preloaded scripts it would wait for the first of them.
 */
export function styleFirst(): Plugin {
  return {
    name: 'fpay-style-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [link] = stylesheet.exec(html) ?? [];
        if (!link) throw new Error('index.html has no stylesheet');
        return html.replace(link, '').replace(/\s*<script /, (script) => link + script);
      },
    },
  };
}
