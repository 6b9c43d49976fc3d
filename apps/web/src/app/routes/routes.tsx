import type { QueryClient } from '@tanstack/react-query';
import type { RouteObject } from '../../router/index.ts';
import { createGuard } from '../guard.ts';
import { ErrorPage } from '../pages/error-page.tsx';
import * as notFound from '../pages/not-found.tsx';
import { RootShell } from '../shell/root-shell.tsx';
import { accountPages } from './account.ts';
import { adminPages } from './admin.ts';
import { driverPages } from './driver.ts';
import { pageRoute } from './page.ts';

export const pages = [...driverPages, ...accountPages, ...adminPages];

/** Every address of the product. Whatever matches none of them is the 404 page, inside the shell like all others. */
export function createRoutes(queryClient: QueryClient): RouteObject[] {
  const guard = createGuard(queryClient);
  return [
    {
      Component: RootShell,
      ErrorBoundary: ErrorPage,
      children: [
        {
          // A failed page leaves the shell around it alone.
          ErrorBoundary: ErrorPage,
          children: [
            ...pages.map((page) => pageRoute(page, guard)),
            pageRoute({ path: '*', load: async () => notFound }, guard),
          ],
        },
      ],
    },
  ];
}
