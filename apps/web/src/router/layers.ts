import type { Entries, Location } from './history.ts';

/** The history of pages; the entries of open overlays are hidden from the router. */
export interface PageHistory {
  readonly location: Location;
  /** Returns a promise only when overlays are open, because their entries are removed first. */
  push(location: Location): Promise<void> | undefined;
  replace(location: Location): Promise<void> | undefined;
  /** As the user's own Back or Forward; the listener is called. */
  go(delta: number): void;
  /** Moves without calling the listener. */
  move(delta: number): Promise<void>;
  /** Calls back when the user went to another page. */
  listen(onPop: (location: Location, delta: number) => void): void;
  openLayer(onBack: () => void): () => void;
}

/** After this time an overlay that ignored Back, or that outlived its page, gets a history entry again. */
const settledAfterMs = 300;
/** A browser that reports no move must not stop every later navigation. */
const moveTimeoutMs = 1000;

/**
 * Each open overlay has a history entry with the address of its page, so that Back closes the overlay. An overlay that
 * is closed in another way loses its entry, and a page that is opened from an overlay takes the entry's place.
 */
export function createPageHistory(entries: Entries): PageHistory {
  const layers: { onBack: () => void }[] = [];
  let onPop: Parameters<PageHistory['listen']>[0] = () => undefined;
  let { key } = entries.location;
  /** Our own move that the browser has not reported yet. The browser drops a second one that begins before that. */
  let moving: Promise<void> | null = null;
  let arrived: (() => void) | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;

  function start(delta: number): Promise<void> {
    moving = new Promise<void>((resolve) => {
      const timeout = setTimeout(() => arrived?.(), moveTimeoutMs);
      arrived = () => {
        clearTimeout(timeout);
        arrived = null;
        moving = null;
        resolve();
      };
    });
    const started = moving;
    entries.go(delta);
    return started;
  }

  async function move(delta: number): Promise<void> {
    while (moving) await moving;
    const distance = delta < 0 ? delta - entries.depth : delta;
    if (distance !== 0) await start(distance);
  }

  /** Removes entries of overlays until `depth` of them are left. */
  async function unwindTo(depth: number): Promise<void> {
    while (moving) await moving;
    if (entries.depth > depth) await start(depth - entries.depth);
  }

  function write(location: Location, action: 'push' | 'replace'): void {
    if (action === 'push' && entries.depth === 0) entries.push(location, 0);
    else entries.replace(location, 0);
    key = location.key;
    if (layers.length > 0) matchWhenSettled();
  }

  /** One entry per open overlay. */
  function matchEntries(): void {
    if (moving) void moving.then(matchEntries);
    else if (entries.depth > layers.length) void unwindTo(layers.length).then(matchEntries);
    else while (entries.depth < layers.length) entries.push(entries.location, entries.depth + 1);
  }

  /** A second move has its own time: its overlays close as slowly as those of the first. */
  function matchWhenSettled(): void {
    clearTimeout(settling);
    settling = setTimeout(matchEntries, settledAfterMs);
  }

  entries.listen((location, delta) => {
    const isSamePage = location.key === key;
    key = location.key;
    if (arrived) return arrived();
    if (!isSamePage) {
      onPop(location, delta);
    } else {
      for (const { onBack } of layers.slice(entries.depth).reverse()) onBack();
    }
    matchWhenSettled();
  });
  // A page that was reloaded with an open overlay starts without it.
  if (entries.depth > 0) void unwindTo(0);

  return {
    get location() {
      return entries.location;
    },
    push(location) {
      if (!moving && entries.depth <= 1) return void write(location, 'push');
      return unwindTo(1).then(() => write(location, 'push'));
    },
    replace(location) {
      if (!moving && entries.depth === 0) return void write(location, 'replace');
      return unwindTo(0).then(() => write(location, 'replace'));
    },
    go(delta) {
      const distance = () => (delta < 0 ? delta - entries.depth : delta);
      if (moving) void moving.then(() => entries.go(distance()));
      else entries.go(distance());
    },
    move,
    listen(listener) {
      onPop = listener;
    },
    openLayer(onBack) {
      const layer = { onBack };
      layers.push(layer);
      // In a task of its own, because one popup often follows another.
      setTimeout(matchEntries);
      return () => {
        layers.splice(layers.indexOf(layer), 1);
        setTimeout(matchEntries);
      };
    },
  };
}
