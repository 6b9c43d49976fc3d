import { createContext, useContext, useSyncExternalStore } from 'react';
import type { DataRouter, RouterState } from './router.ts';

export const RouterContext = createContext<DataRouter | null>(null);
/** The depth of a component in the page's frames. */
export const LevelContext = createContext(-1);
export const FailureContext = createContext<unknown>(undefined);

export function useRouter(): DataRouter {
  const router = useContext(RouterContext);
  if (!router) throw new Error('There is no RouterProvider around this component');
  return router;
}

export function useRouterState(): RouterState {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, () => router.state);
}
