import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { FailureContext, LevelContext, useRouter, useRouterState } from './context.ts';
import type { Location } from './history.ts';
import type { Params } from './match.ts';
import type { BlockerArgs, DataRouter, NavigateOptions } from './router.ts';

export function useNavigate(): DataRouter['navigate'] {
  const router = useRouter();
  return useCallback((to, options) => router.navigate(to, options), [router]);
}

export function useLocation(): Location {
  return useRouterState().location;
}

export function useParams(): Params {
  return useRouterState().params;
}

/** Every frame of the page and the page itself, outermost first. */
export function useMatches(): { handle: unknown; params: Params }[] {
  return useRouterState().shown.map(({ route, params }) => ({ handle: route.handle, params }));
}

/** What the loader of the surrounding page returned. */
export function useLoaderData<T>(): T {
  const level = useContext(LevelContext);
  return useRouterState().shown[level]?.data as T;
}

type SearchInit = URLSearchParams | Record<string, string> | string;

export function useSearchParams() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  function setParams(next: SearchInit | ((now: URLSearchParams) => SearchInit), options?: NavigateOptions): void {
    const chosen = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(search)) : next);
    void navigate(`?${chosen}`, options);
  }
  return [params, setParams] as const;
}

/** What the page's guard, loader or rendering threw. */
export function useRouteError(): unknown {
  return useContext(FailureContext);
}

export function useRevalidator() {
  const { revalidate } = useRouter();
  return { revalidate, state: useRouterState().revalidation };
}

/** While `isOpen`, the user's Back calls `onBack` instead of leaving the page: for overlays and for steps of a page. */
export function useLayer(isOpen: boolean, onBack: () => void): void {
  const router = useRouter();
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => (isOpen ? router.openLayer(() => latest.current()) : undefined), [router, isOpen]);
}

/** Blocks leaving a page with unsaved changes; `proceed` leaves it, `reset` stays. */
export function useBlocker(shouldBlock: boolean | ((asked: BlockerArgs) => boolean)) {
  const router = useRouter();
  const { blocked } = useRouterState();
  const latest = useRef(shouldBlock);
  latest.current = shouldBlock;
  const [blocker] = useState(() => (asked: BlockerArgs) => {
    const should = latest.current;
    return typeof should === 'function' ? should(asked) : should;
  });
  useEffect(() => router.block(blocker), [router, blocker]);

  if (blocked?.blocker !== blocker) return { state: 'unblocked' } as const;
  const { location, proceed, reset } = blocked;
  return { state: 'blocked', location, proceed, reset } as const;
}

/** Runs when the user closes the tab or reloads the page. */
export function useBeforeUnload(callback: (event: BeforeUnloadEvent) => void): void {
  useEffect(() => {
    addEventListener('beforeunload', callback);
    return () => removeEventListener('beforeunload', callback);
  }, [callback]);
}
