/** An address of the app. */
export interface Location {
  pathname: string;
  /** With its question mark, or empty. */
  search: string;
  /** With its number sign, or empty. */
  hash: string;
  /** What the navigation passed along. */
  state: unknown;
  /** Identifies the history entry: returning to it gives the same key, a new link to the same address another one. */
  key: string;
}

export type To = string | Partial<Pick<Location, 'pathname' | 'search' | 'hash'>>;

/** The history: of the browser, or in a test's memory. */
export interface History {
  readonly location: Location;
  push(location: Location): void;
  replace(location: Location): void;
  go(delta: number): void;
  /** Calls back when the user went back or forward; `delta` is the number of entries. */
  listen(onPop: (location: Location, delta: number) => void): void;
}

/** What we store with a history entry; the difference of two `index` values is the distance between the entries. */
interface EntryState {
  state: unknown;
  key: string;
  index: number;
}

export function browserHistory(): History {
  const first: EntryState = { state: null, key: newKey(), index: 0, ...(history.state as Partial<EntryState> | null) };
  // So that the first page has an index too when the user returns to it.
  history.replaceState(first, '');
  const kept = (): EntryState => ({ ...first, ...(history.state as Partial<EntryState> | null) });
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
  const entries = paths.map((path) => locationOf(path, '/', null));
  let index = entries.length - 1;
  let notify: Parameters<History['listen']>[0] = () => undefined;
  const at = (place: number) => entries[place] ?? locationOf('/', '/', null);
  return {
    get location() {
      return at(index);
    },
    push(location) {
      index += 1;
      entries.splice(index, entries.length, location);
    },
    replace(location) {
      entries[index] = location;
    },
    go(delta) {
      const next = Math.min(Math.max(index + delta, 0), entries.length - 1);
      const moved = next - index;
      index = next;
      if (moved !== 0) notify(at(index), moved);
    },
    listen(onPop) {
      notify = onPop;
    },
  };
}

export function pathOf({ pathname = '', search = '', hash = '' }: Partial<Location>): string {
  return pathname + search + hash;
}

/** Resolves a link against the page, as the browser does. */
export function locationOf(to: To, from: string, state: unknown): Location {
  const { pathname, search, hash } = new URL(typeof to === 'string' ? to : pathOf(to), `http://page${from}`);
  return { pathname, search, hash, state, key: newKey() };
}

const newKey = () => Math.random().toString(36).slice(2, 10);
