import type { QueryClient } from '@tanstack/react-query';
import type { RouteObject } from '../../router/index.ts';
import { createGuard } from '../guard.ts';
import { ErrorPage } from '../pages/error-page.tsx';
import * as notFound from '../pages/not-found.tsx';
import { RootShell } from '../shell/root-shell.tsx';
import { accountPages } from './account.ts';
import { driverPages } from './driver.ts';
import { pageRoute } from './page.ts';

/** Every address of the product. An address that matches none of them shows the 404 page, inside the shell. */
export function createAppRoutes(queryClient: QueryClient): RouteObject[] {
  const guard = createGuard(queryClient);
  return [
    {
      Component: RootShell,
      ErrorBoundary: ErrorPage,
      children: [
        {
          // A failed page does not affect the shell around it.
          ErrorBoundary: ErrorPage,
          children: [
            ...[...driverPages, ...accountPages].map((page) => pageRoute(page, guard)),
            {
              lazy: { Component: async () => (await import('./admin.ts')).loadStaffFrame() },
              later: {
                under: 'admin',
                load: async () =>
                  (await import('./admin.ts')).adminPages.map((page) => pageRoute({ ...page, header: 'none' }, guard)),
              },
            },
            pageRoute({ path: '*', load: async () => notFound }, guard),
          ],
        },
      ],
    },
  ];
}
