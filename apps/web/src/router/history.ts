/** A page of the app, as the address line has it. */
export interface Location {
  pathname: string;
  /** With its question mark, or empty. */
  search: string;
  /** With its number sign, or empty. */
  hash: string;
  /** What the navigation itself brought along. */
  state: unknown;
  /** Of this visit: coming back to it is the same visit, a new link to the same address is another. */
  key: string;
}

export type To = string | Partial<Pick<Location, 'pathname' | 'search' | 'hash'>>;

/** Where visits are kept: in the browser, or in a test's memory. */
export interface History {
  readonly location: Location;
  push(location: Location): void;
  replace(location: Location): void;
  go(delta: number): void;
  /** Calls back when the driver went back or forward; `delta` is by how many visits. */
  listen(onPop: (location: Location, delta: number) => void): void;
}

/** What we keep beside a visit: `index` tells how far apart two visits are. */
interface Kept {
  state: unknown;
  key: string;
  index: number;
}

export function browserHistory(): History {
  const first: Kept = { state: null, key: newKey(), index: 0, ...(history.state as Partial<Kept> | null) };
  // So that the first page, too, knows its place when the driver comes back to it.
  history.replaceState(first, '');
  const kept = (): Kept => ({ ...first, ...(history.state as Partial<Kept> | null) });
  const here = (): Location => {
    const { pathname, search, hash } = window.location;
    const { state, key } = kept();
    return { pathname, search, hash, state, key };
  };
  let { index } = first;

  return {
    get location() {
      return here();
    },
    push(location) {
      index += 1;
      history.pushState({ state: location.state, key: location.key, index }, '', pathOf(location));
    },
    replace(location) {
      history.replaceState({ state: location.state, key: location.key, index }, '', pathOf(location));
    },
    go: (delta) => history.go(delta),
    listen(onPop) {
      addEventListener('popstate', () => {
        const delta = kept().index - index;
        index = kept().index;
        onPop(here(), delta);
      });
    },
  };
}

export function memoryHistory(paths: readonly string[]): History {
  const visits = paths.map((path) => locationOf(path, '/', null));
  let index = visits.length - 1;
  let tell: Parameters<History['listen']>[0] = () => undefined;
  const at = (place: number) => visits[place] ?? locationOf('/', '/', null);
  return {
    get location() {
      return at(index);
    },
    push(location) {
      index += 1;
      visits.splice(index, visits.length, location);
    },
    replace(location) {
      visits[index] = location;
    },
    go(delta) {
      const next = Math.min(Math.max(index + delta, 0), visits.length - 1);
      const moved = next - index;
      index = next;
      if (moved !== 0) tell(at(index), moved);
    },
    listen(onPop) {
      tell = onPop;
    },
  };
}

export function pathOf({ pathname = '', search = '', hash = '' }: Partial<Location>): string {
  return pathname + search + hash;
}

/** Resolves what a link says against the page it stands on, as the browser would. */
export function locationOf(to: To, from: string, state: unknown): Location {
  const { pathname, search, hash } = new URL(typeof to === 'string' ? to : pathOf(to), `http://page${from}`);
  return { pathname, search, hash, state, key: newKey() };
}

const newKey = () => Math.random().toString(36).slice(2, 10);
