import type { ComponentType } from 'react';
import { loadTexts } from '../../i18n/i18n.ts';
import type { Namespace } from '../../i18n/text-key.ts';
import type { LoaderFunction, RouteObject } from '../../router/index.ts';
import type { createGuard, PageRules } from '../guard.ts';
import type { Header } from '../shell/header-of-route.ts';

/** The exports of a page's file. Its loader runs only after the guard let the user pass. */
interface PageModule {
  Page: ComponentType;
  loader?: LoaderFunction;
}

export interface PageDeclaration extends PageRules {
  path: string;
  load: () => Promise<PageModule>;
  /** The page's own texts, beside those of the shell; `page-texts.test.ts` checks them. */
  texts?: readonly Namespace[];
  header?: Header;
  /** The page that usually follows; it is loaded ahead when that becomes likely, see `useNextPage`. */
  next?: Pick<PageDeclaration, 'load' | 'texts'>;
}

/** Every page is its own chunk; its code, its texts and the guard's requests are loaded in parallel. */
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
