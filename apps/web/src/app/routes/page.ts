import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject } from 'react-router';
import type { createGuard, PageRules } from '../guard.ts';

/** What a page's file exports. Its loader runs only once the guard let the driver pass. */
interface PageModule {
  Page: ComponentType;
  loader?: LoaderFunction;
}

/** The line above a page: the usual bar, the brand with or without a menu, or a page that draws its own. */
export type Header = 'bar' | 'brand' | 'brandOnly' | 'none';

export interface PageDeclaration extends PageRules {
  path: string;
  load: () => Promise<PageModule>;
  header?: Header;
}

/** Every page is a chunk of its own; its code and the guard's questions travel side by side. */
export function pageRoute(
  { path, load, header = 'bar', ...rules }: PageDeclaration,
  guard: ReturnType<typeof createGuard>,
): RouteObject {
  return {
    path,
    handle: { header },
    lazy: { Component: async () => (await load()).Page },
    loader: async (args, context) => {
      await guard(rules, args);
      const { loader } = await load();
      return typeof loader === 'function' ? loader(args, context) : null;
    },
  };
}

/** For addresses of the product whose screen does not exist yet. */
export const notBuilt = () => import('../pages/not-built.tsx');
