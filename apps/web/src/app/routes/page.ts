import type { ComponentType } from 'react';
import { loadTexts } from '../../i18n/i18n.ts';
import type { Namespace } from '../../i18n/text-key.ts';
import type { LoaderFunction, RouteObject } from '../../router/index.ts';
import type { createGuard, PageRules } from '../guard.ts';

/** What a page's file exports. Its loader runs only once the guard let the driver pass. */
interface PageModule {
  Page: ComponentType;
  loader?: LoaderFunction;
}

/** The line above a page: the usual bar, the brand with or without a menu or over a camera, buttons over a map, or a page that draws its own. */
export type Header = 'bar' | 'brand' | 'brandOnly' | 'camera' | 'map' | 'none';

export interface PageDeclaration extends PageRules {
  path: string;
  load: () => Promise<PageModule>;
  /** The page's own words, beside those of the shell; `page-texts.test.ts` tells which. */
  texts?: readonly Namespace[];
  header?: Header;
  /** The page that usually follows: fetched ahead once this one knows that it will, see `useNextPage`. */
  next?: Pick<PageDeclaration, 'load' | 'texts'>;
}

/** Every page is a chunk of its own; its code, its words and the guard's questions travel side by side. */
export function pageRoute(
  { path, load, texts = [], header = 'bar', next, ...rules }: PageDeclaration,
  guard: ReturnType<typeof createGuard>,
): RouteObject {
  return {
    path,
    handle: { header, fetchNext: next && (() => Promise.all([next.load(), loadTexts(next.texts ?? [])])) },
    lazy: {
      async Component() {
        const [{ Page }] = await Promise.all([load(), loadTexts(texts)]);
        return Page;
      },
    },
    async loader(args) {
      await guard(rules, args);
      const { loader } = await load();
      return loader?.(args);
    },
  };
}

/** For addresses of the product whose screen does not exist yet. */
export const notBuilt = () => import('../pages/not-built.tsx');
