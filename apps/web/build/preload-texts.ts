import type { Plugin } from 'vite';

/**
 * Most drivers read Ukrainian: the page asks for those words at once instead of when the first script has run. Whoever
 * chose another language loads two kilobytes too many.
 */
export function preloadTexts(): Plugin {
  return {
    name: 'fpay-preload-texts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.values(bundle).find(
          (chunk) => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/texts/uk/index.ts'),
        );
        if (!file) throw new Error('The Ukrainian texts are not a chunk of their own');
        return [{ tag: 'link', attrs: { rel: 'modulepreload', href: `/${file.fileName}` }, injectTo: 'head' }];
      },
    },
  };
}
