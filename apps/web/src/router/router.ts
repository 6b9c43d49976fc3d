import type { ComponentType } from 'react';
import { data, redirectOf } from './answers.ts';
import { browserHistory, type History, type Location, locationOf, memoryHistory, type To } from './history.ts';
import { type Match, matchRoutes, type Params, type RouteObject } from './match.ts';

/** One level of what is on the screen. */
export interface Shown extends Match {
  Component: ComponentType | undefined;
  /** What its loader answered. */
  data?: unknown;
  /** Why the level's `ErrorBoundary` stands in its place. */
  failure?: { error: unknown };
}

export interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
  /** Leaves the page where it is scrolled to. */
  preventScrollReset?: boolean;
}

type Action = 'push' | 'replace' | 'pop' | 'refresh';
interface Step {
  location: Location;
  action: Action;
  keepsScroll?: boolean;
}

export interface Asked {
  currentLocation: Location;
  nextLocation: Location;
}
type Blocker = (asked: Asked) => boolean;
export interface Blocked {
  blocker: Blocker;
  location: Location;
  proceed: () => void;
  reset: () => void;
}

export interface RouterState {
  /** False until the first page's guard has decided and its code is there. */
  initialized: boolean;
  location: Location;
  params: Params;
  shown: Shown[];
  navigation: { state: 'idle' | 'loading'; location?: Location };
  revalidation: 'idle' | 'loading';
  blocked: Blocked | null;
  keepsScroll: boolean;
  /** Grows with everything that was loaded: a failed drawing is tried again then. */
  version: number;
}

export type DataRouter = ReturnType<typeof createRouter>;

export const createBrowserRouter = (routes: RouteObject[]) => createRouter(routes, browserHistory());
export const createMemoryRouter = (routes: RouteObject[], { initialEntries = ['/'] } = {}) =>
  createRouter(routes, memoryHistory(initialEntries));

/**
 * Leads from page to page. The page on the screen stays until the next one's guard has let the driver pass and its code
 * and data are there; only then the address changes too. A newer navigation overtakes one that is still under way.
 */
function createRouter(routes: RouteObject[], history: History) {
  const components = new WeakMap<RouteObject, ComponentType>();
  const listeners = new Set<(state: RouterState) => void>();
  const blockers = new Set<Blocker>();
  let underWay: Step | null = null;
  /** The next back or forward is our own doing. */
  let ownPop: (() => void) | null = null;
  let state: RouterState = {
    initialized: false,
    location: history.location,
    params: {},
    shown: [],
    navigation: { state: 'idle' },
    revalidation: 'idle',
    blocked: null,
    keepsScroll: false,
    version: 0,
  };

  function update(change: Partial<RouterState>): void {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener(state);
  }

  async function take(step: Step): Promise<void> {
    underWay = step;
    const matches = matchRoutes(routes, step.location.pathname);
    const drawn = matches && drawnAtOnce(matches);
    if (drawn) return arrive(step, drawn);

    if (step.action === 'refresh') update({ revalidation: 'loading' });
    else update({ navigation: { state: 'loading', location: step.location } });
    const outcome = await load(matches, step.location);
    if (underWay !== step) return;
    if (Array.isArray(outcome)) return arrive(step, outcome);
    // Only a pushed page is not in the history yet; any other is replaced by the one it leads to.
    const action = step.action === 'push' && !outcome.isInPlace ? 'push' : 'replace';
    return take({ location: locationOf(outcome.to, step.location.pathname, null), action });
  }

  function arrive({ location, action, keepsScroll = false }: Step, shown: Shown[]): void {
    underWay = null;
    if (action === 'push') history.push(location);
    if (action === 'replace') history.replace(location);
    update({
      initialized: true,
      location,
      params: shown.at(-1)?.params ?? {},
      shown,
      navigation: { state: 'idle' },
      revalidation: 'idle',
      keepsScroll,
      version: state.version + 1,
    });
  }

  /** What needs neither code nor data is there without waiting. */
  function drawnAtOnce(matches: Match[]): Shown[] | null {
    if (matches.some(({ route }) => route.loader || (route.lazy && !components.has(route)))) return null;
    return matches.map((match) => ({ ...match, Component: match.route.Component ?? components.get(match.route) }));
  }

  /** What is to be drawn, or the address to go to instead. */
  async function load(
    matches: Match[] | null,
    location: Location,
  ): Promise<Shown[] | { to: string; isInPlace: boolean }> {
    const found = matches ?? routes.slice(0, 1).map((route) => ({ route, params: {} }));
    const request = new Request(new URL(location.pathname + location.search, window.location.origin));
    const loaded = await Promise.all(
      found.map(async (match): Promise<Shown> => {
        const code = componentOf(match.route);
        // Its failure is looked at below, once the guard has had its say.
        code.catch(() => undefined);
        try {
          if (!matches) throw data(null, { status: 404 });
          const answer = await match.route.loader?.({ params: match.params, request });
          return { ...match, data: answer, Component: await code };
        } catch (error) {
          return { ...match, Component: undefined, failure: { error } };
        }
      }),
    );
    for (const { failure } of loaded) {
      const target = redirectOf(failure?.error);
      if (target) return target;
    }
    return withFailureInPlace(loaded);
  }

  async function componentOf(route: RouteObject): Promise<ComponentType | undefined> {
    const known = route.Component ?? components.get(route);
    if (known || !route.lazy) return known;
    const Component = await route.lazy.Component();
    components.set(route, Component);
    return Component;
  }

  /** Whether a blocker holds the driver back; then it decides by `proceed` or `reset`. */
  function isHeld(nextLocation: Location, goOn: () => void): boolean {
    const blocker = [...blockers].find((holds) => holds({ currentLocation: state.location, nextLocation }));
    if (!blocker) return false;
    update({
      blocked: {
        blocker,
        location: nextLocation,
        proceed() {
          update({ blocked: null });
          goOn();
        },
        reset: () => update({ blocked: null }),
      },
    });
    return true;
  }

  function navigate(to: To | number, options: NavigateOptions = {}): Promise<void> {
    if (typeof to === 'number') {
      history.go(to);
      return Promise.resolve();
    }
    const location = locationOf(to, state.location.pathname + state.location.search, options.state ?? null);
    const step: Step = {
      location,
      action: options.replace ? 'replace' : 'push',
      keepsScroll: options.preventScrollReset ?? false,
    };
    if (isHeld(location, () => void take(step))) return Promise.resolve();
    if (isSamePage(location)) return Promise.resolve(arrive(step, state.shown));
    return take(step);
  }

  /** Another place on the page that is already there: nothing has to be asked again. */
  function isSamePage({ pathname, search, hash }: Location): boolean {
    const { location } = state;
    return hash !== '' && pathname === location.pathname && search === location.search && hash !== location.hash;
  }

  history.listen((location, delta) => {
    if (ownPop) {
      const then = ownPop;
      ownPop = null;
      return then();
    }
    const step: Step = { location, action: 'pop' };
    const goOn = () => {
      ownPop = () => void take(step);
      history.go(delta);
    };
    if (delta !== 0 && isHeld(location, goOn)) {
      // The browser has moved already: back to where the driver still is.
      ownPop = () => undefined;
      return history.go(-delta);
    }
    void take(step);
  });
  void take({ location: state.location, action: 'replace' });

  return {
    get state() {
      return state;
    },
    navigate,
    /** Asks the guard and the loaders again, for the page on the screen or the one under way. */
    revalidate: (): Promise<void> => take(underWay ? { ...underWay } : { location: state.location, action: 'refresh' }),
    subscribe(listener: (state: RouterState) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Returns the way to lift it. */
    block(blocker: Blocker): () => void {
      blockers.add(blocker);
      return () => {
        blockers.delete(blocker);
        if (state.blocked?.blocker === blocker) update({ blocked: null });
      };
    },
  };
}

/** The nearest level that can show the failure stands in for everything inside it. */
function withFailureInPlace(loaded: Shown[]): Shown[] {
  const failed = loaded.findIndex(({ failure }) => failure);
  if (failed === -1) return loaded;
  const place = loaded.findLastIndex(({ route }, index) => index <= failed && route.ErrorBoundary);
  const level = loaded[Math.max(place, 0)];
  const failure = loaded[failed]?.failure;
  if (!level || !failure) return loaded;
  return [...loaded.slice(0, Math.max(place, 0)), { ...level, failure }];
}
