import type { ComponentType } from 'react';
import { data, redirectOf } from './answers.ts';
import { browserEntries, type Location, locationOf, memoryEntries, type To } from './history.ts';
import { createPageHistory, type PageHistory } from './layers.ts';
import { loadLater, type Match, matchRoutes, type Params, type RouteObject } from './match.ts';

/** One level of the rendered page. */
export interface ShownMatch extends Match {
  Component: ComponentType | undefined;
  /** What its loader returned. */
  data?: unknown;
  /** Why the level's `ErrorBoundary` is rendered instead. */
  failure?: { error: unknown };
}

export interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
  /** Keeps the scroll position. */
  preventScrollReset?: boolean;
}

type Action = 'push' | 'replace' | 'pop' | 'refresh';
interface Navigation {
  location: Location;
  action: Action;
  keepsScroll?: boolean;
}

export interface BlockerArgs {
  currentLocation: Location;
  nextLocation: Location;
}
type Blocker = (args: BlockerArgs) => boolean;
export interface Blocked {
  blocker: Blocker;
  location: Location;
  proceed: () => void;
  reset: () => void;
}

export interface RouterState {
  /** False until the first page's guard has decided and its code is loaded. */
  initialized: boolean;
  location: Location;
  params: Params;
  shown: ShownMatch[];
  navigation: { state: 'idle' | 'loading'; location?: Location };
  revalidation: 'idle' | 'loading';
  blocked: Blocked | null;
  keepsScroll: boolean;
  /** Grows with every load, which also retries a failed rendering. */
  version: number;
}

export type DataRouter = ReturnType<typeof createRouter>;

export const createBrowserRouter = (routes: RouteObject[]) => createRouter(routes, createPageHistory(browserEntries()));
export const createMemoryRouter = (routes: RouteObject[], { initialEntries = ['/'] } = {}) =>
  createRouter(routes, createPageHistory(memoryEntries(initialEntries)));

/**
 * Navigates between pages. The rendered page stays until the next one's guard has let the user pass and its code and
 * data are loaded; only then the address changes. A newer navigation replaces one in progress.
 */
function createRouter(routes: RouteObject[], history: PageHistory) {
  const components = new WeakMap<RouteObject, ComponentType>();
  const listeners = new Set<(state: RouterState) => void>();
  const blockers = new Set<Blocker>();
  let pending: Navigation | null = null;
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

  async function run(navigation: Navigation): Promise<void> {
    pending = navigation;
    let failure: { error: unknown } | null = null;
    const declarations = loadLater(routes, navigation.location.pathname);
    if (declarations) {
      update({ navigation: { state: 'loading', location: navigation.location } });
      failure = await declarations.then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (pending !== navigation) return;
    }
    const matches = failure ? null : matchRoutes(routes, navigation.location.pathname);
    const rendered = matches && renderedAtOnce(matches);
    if (rendered) return finish(navigation, rendered);

    if (navigation.action === 'refresh') update({ revalidation: 'loading' });
    else update({ navigation: { state: 'loading', location: navigation.location } });
    const outcome = await load(matches, navigation.location, failure);
    if (pending !== navigation) return;
    if (Array.isArray(outcome)) return finish(navigation, outcome);
    // Only a pushed page is not in the history yet; any other is replaced by its redirect.
    const action = navigation.action === 'push' && !outcome.isInPlace ? 'push' : 'replace';
    return run({ location: locationOf(outcome.to, navigation.location.pathname, null), action });
  }

  function finish(navigation: Navigation, shown: ShownMatch[]): Promise<void> | void {
    const { location, action } = navigation;
    pending = navigation;
    const written = action === 'push' ? history.push(location) : action === 'replace' && history.replace(location);
    if (!written) return show(navigation, shown);
    return written.then(() => {
      // During the wait a newer navigation may have begun.
      if (pending === navigation) show(navigation, shown);
    });
  }

  function show({ location, keepsScroll = false }: Navigation, shown: ShownMatch[]): void {
    pending = null;
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

  /** A page that needs neither code nor data is rendered without waiting. */
  function renderedAtOnce(matches: Match[]): ShownMatch[] | null {
    if (matches.some(({ route }) => route.loader || (route.lazy && !components.has(route)))) return null;
    return matches.map((match) => ({ ...match, Component: match.route.Component ?? components.get(match.route) }));
  }

  /** The matches to render, or the address of a redirect. */
  async function load(
    matches: Match[] | null,
    location: Location,
    failure: { error: unknown } | null,
  ): Promise<ShownMatch[] | { to: string; isInPlace: boolean }> {
    const found = matches ?? routes.slice(0, 1).map((route) => ({ route, params: {} }));
    const request = new Request(new URL(location.pathname + location.search, window.location.origin));
    const loaded = await Promise.all(
      found.map(async (match): Promise<ShownMatch> => {
        const code = componentOf(match.route);
        // Its failure is handled below, after the guard has decided.
        code.catch(() => undefined);
        try {
          if (failure) throw failure.error;
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

  /** True when a blocker stops the navigation; then it decides by `proceed` or `reset`. */
  function isBlocked(nextLocation: Location, proceed: () => void): boolean {
    const blocker = [...blockers].find((holds) => holds({ currentLocation: state.location, nextLocation }));
    if (!blocker) return false;
    update({
      blocked: {
        blocker,
        location: nextLocation,
        proceed() {
          update({ blocked: null });
          proceed();
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
    const navigation: Navigation = {
      location,
      action: options.replace ? 'replace' : 'push',
      keepsScroll: options.preventScrollReset ?? false,
    };
    if (isBlocked(location, () => void run(navigation))) return Promise.resolve();
    if (isSamePage(location)) return Promise.resolve(finish(navigation, state.shown));
    return run(navigation);
  }

  /** Another position on the rendered page, so nothing is loaded. */
  function isSamePage({ pathname, search, hash }: Location): boolean {
    const { location } = state;
    return hash !== '' && pathname === location.pathname && search === location.search && hash !== location.hash;
  }

  history.listen((location, delta) => {
    const navigation: Navigation = { location, action: 'pop' };
    const proceed = () => void history.move(delta).then(() => run(navigation));
    // The browser has already moved, so this goes back to the rendered page.
    if (delta !== 0 && isBlocked(location, proceed)) void history.move(-delta);
    else void run(navigation);
  });
  void run({ location: state.location, action: 'replace' });

  return {
    get state() {
      return state;
    },
    navigate,
    /** Runs the guard and the loaders again, for the rendered page or for a navigation in progress. */
    revalidate: (): Promise<void> => run(pending ? { ...pending } : { location: state.location, action: 'refresh' }),
    subscribe(listener: (state: RouterState) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** For an overlay: the user's Back calls `onBack` instead of leaving the page. Returns the function that ends it. */
    openLayer: history.openLayer,
    /** Returns the function that removes it. */
    block(blocker: Blocker): () => void {
      blockers.add(blocker);
      return () => {
        blockers.delete(blocker);
        if (state.blocked?.blocker === blocker) update({ blocked: null });
      };
    },
  };
}

/** The nearest level with an error boundary replaces everything inside it. */
function withFailureInPlace(loaded: ShownMatch[]): ShownMatch[] {
  const failed = loaded.findIndex(({ failure }) => failure);
  if (failed === -1) return loaded;
  const place = loaded.findLastIndex(({ route }, index) => index <= failed && route.ErrorBoundary);
  const level = loaded[Math.max(place, 0)];
  const failure = loaded[failed]?.failure;
  if (!level || !failure) return loaded;
  return [...loaded.slice(0, Math.max(place, 0)), { ...level, failure }];
}
