import type { ComponentType, ReactNode } from 'react';

export type Params = Record<string, string | undefined>;

export interface LoaderFunctionArgs {
  params: Params;
  request: Request;
}
/** Runs before the page is rendered. It may throw `redirect(…)`, `data(…, { status })` or an error. */
export type LoaderFunction = (args: LoaderFunctionArgs) => unknown;

/** One level of a page: a frame around others, or the page itself. */
export interface RouteObject {
  path?: string;
  children?: RouteObject[];
  Component?: ComponentType;
  element?: ReactNode;
  /** Rendered in the route's place when it, or anything inside it, failed. */
  ErrorBoundary?: ComponentType;
  /** What the page declares to its frames. */
  handle?: unknown;
  /** Code that is loaded when the page is first opened. */
  lazy?: { Component: () => Promise<ComponentType> };
  loader?: LoaderFunction;
  /** Pages that are declared in code of their own; the first address under this one loads it. */
  later?: { under: string; load: () => Promise<RouteObject[]> };
}

export interface Match {
  route: RouteObject;
  params: Params;
}

/** From the outermost frame to the page; null when no route has this address. */
export function matchRoutes(routes: readonly RouteObject[], pathname: string): Match[] | null {
  const asked = segmentsOf(pathname);
  for (const { path, chain } of branchesOf(routes)) {
    const params = paramsOf(path, asked);
    if (params) return chain.map((route) => ({ route, params }));
  }
  return null;
}

/** Loads the declarations that an address needs and that are not there yet; null when there are none. */
export function loadLater(routes: RouteObject[], pathname: string): Promise<void> | null {
  const route = laterOf(routes).find(
    ({ later, children }) => !children && segmentsOf(pathname)[0]?.toLowerCase() === later?.under,
  );
  if (!route?.later) return null;
  return route.later.load().then((children) => {
    route.children = children;
    known.delete(routes);
  });
}

function laterOf(routes: readonly RouteObject[]): RouteObject[] {
  return routes.flatMap((route) => (route.later ? [route] : laterOf(route.children ?? [])));
}

interface Branch {
  path: string[];
  chain: RouteObject[];
}

const known = new WeakMap<readonly RouteObject[], Branch[]>();

/** Every page with the frames around it, the most specific address first: `/car/add` before `/car/:carId`. */
function branchesOf(routes: readonly RouteObject[]): Branch[] {
  const kept = known.get(routes);
  if (kept) return kept;
  const branches = collect(routes, []).sort((a, b) => compare(a.path, b.path));
  known.set(routes, branches);
  return branches;
}

function collect(routes: readonly RouteObject[], outer: RouteObject[]): Branch[] {
  return routes.flatMap((route) => {
    const chain = [...outer, route];
    if (route.later && !route.children) return [];
    if (route.children) return collect(route.children, chain);
    return [{ path: segmentsOf(chain.map(({ path = '' }) => path).join('/')), chain }];
  });
}

function compare(a: string[], b: string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = vagueness(a[i]) - vagueness(b[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function vagueness(segment: string | undefined): number {
  if (segment === undefined) return 0;
  if (segment === '*') return 3;
  return segment.startsWith(':') ? 2 : 1;
}

function paramsOf(path: string[], asked: string[]): Params | null {
  const params: Params = {};
  for (const [index, segment] of path.entries()) {
    if (segment === '*') return { ...params, '*': asked.slice(index).join('/') };
    const given = asked[index];
    if (given === undefined) return null;
    if (segment.startsWith(':')) params[segment.slice(1)] = decoded(given);
    else if (segment.toLowerCase() !== given.toLowerCase()) return null;
  }
  return path.length === asked.length ? params : null;
}

/** A typed address may have an invalid encoding; it is then kept unchanged and matches no parameter's rule. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
