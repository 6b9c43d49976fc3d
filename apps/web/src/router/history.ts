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

/** The entries of the browser's history, or of a test's memory. */
export interface Entries {
  readonly location: Location;
  /** How many overlays were open at the present entry; 0 for the entry of a page. */
  readonly depth: number;
  push(location: Location, depth: number): void;
  replace(location: Location, depth: number): void;
  go(delta: number): void;
  /** Calls back after each move through the history; `delta` is the number of entries. */
  listen(onMove: (location: Location, delta: number) => void): void;
}

/** What we store with a history entry; the difference of two `index` values is the distance between the entries. */
interface EntryState {
  state: unknown;
  key: string;
  index: number;
  depth: number;
}

export function browserEntries(): Entries {
  const kept = (): EntryState => ({
    state: null,
    key: '',
    index: 0,
    depth: 0,
    ...(history.state as Partial<EntryState> | null),
  });
  const first = kept();
  // So that the first page has an index and a key too when the user returns to it.
  history.replaceState({ ...first, key: first.key || newKey() }, '');
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
    get depth() {
      return kept().depth;
    },
    push(location, depth) {
      index += 1;
      history.pushState({ state: location.state, key: location.key, index, depth }, '', pathOf(location));
    },
    replace(location, depth) {
      history.replaceState({ state: location.state, key: location.key, index, depth }, '', pathOf(location));
    },
    go: (delta) => history.go(delta),
    listen(onMove) {
      addEventListener('popstate', () => {
        const delta = kept().index - index;
        index = kept().index;
        onMove(here(), delta);
      });
    },
  };
}

export function memoryEntries(paths: readonly string[]): Entries {
  const entries = paths.map((path) => ({ location: locationOf(path, '/', null), depth: 0 }));
  let index = entries.length - 1;
  let notify: Parameters<Entries['listen']>[0] = () => undefined;
  const here = () => entries[index] ?? { location: locationOf('/', '/', null), depth: 0 };
  return {
    get location() {
      return here().location;
    },
    get depth() {
      return here().depth;
    },
    push(location, depth) {
      index += 1;
      entries.splice(index, entries.length, { location, depth });
    },
    replace(location, depth) {
      entries[index] = { location, depth };
    },
    go(delta) {
      const next = Math.min(Math.max(index + delta, 0), entries.length - 1);
      const moved = next - index;
      index = next;
      if (moved !== 0) notify(here().location, moved);
    },
    listen(onMove) {
      notify = onMove;
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
