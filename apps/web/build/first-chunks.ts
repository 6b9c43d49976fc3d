import { basename } from 'node:path';

interface ModuleInfo {
  importers: readonly string[];
  dynamicImporters: readonly string[];
  isEntry: boolean;
}
interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/**
 * The pages that drivers open first, from a QR code or as new users, then the most used ones. Each file that they wait
 * for is a round trip, and a browser loads only six at a time.
 */
export const firstPages = [
  '/features/stations/landing/station-landing.tsx',
  '/features/stations/station-page.tsx',
  '/app/pages/sign-in.tsx',
  '/features/account/sign-in-page.tsx',
  '/app/pages/status.tsx',
  '/features/map/map-page.tsx',
];
/**
 * Parts of the shell for the first touch. They come before the map, because otherwise they would be in its file, which
 * is not available offline.
 */
const shellParts = ['/app/shell/menu-panel.tsx', '/ui/overlay/popup-host.tsx'];
/** Small pages that are one file with what they share: the file less saves a round trip, and few other pages need it. */
const wholePages = ['/app/pages/sign-in.tsx', '/features/account/sign-in-page.tsx'];
const inOrder = [...firstPages.slice(0, -1), ...shellParts, ...firstPages.slice(-1)];

/**
 * Few files for the first page. Two contain what every page needs before any route is chosen: libraries, which stay in
 * the browser's cache over our releases, and our own shell. By default the bundler would make a dozen tiny files of it,
 * and as many of what the first pages share with others: icons, fields, schemas. Those become one file per first page.
 * What only one page needs goes into that page's file, including libraries.
 */
export function firstChunks() {
  const entriesOf = createEntries();
  return [
    { debugName: 'start', priority: 2, name: (id: string, graph: Graph) => startChunk(id, entriesOf(id, graph)) },
    // In the order of the pages, because the file of a page includes everything that it imports.
    ...inOrder.map((page, index) => ({
      debugName: `parts of ${page}`,
      priority: 1 - index / inOrder.length,
      name: (id: string, graph: Graph) => partsChunk(page, entriesOf(id, graph)),
    })),
    // Otherwise each is a file of some hundred bytes, and the first page carries the names of all of them.
    { debugName: 'blocks', priority: 0, name: (id: string, graph: Graph) => blocksChunk(id, entriesOf(id, graph)) },
    // Otherwise each icon is a file of 300 bytes, and the first page carries the names of all of them.
    { debugName: 'icons', priority: 0, name: (id: string, graph: Graph) => iconsChunk(id, entriesOf(id, graph)) },
  ];
}

function startChunk(id: string, users: ReadonlySet<string>): string | null {
  const shellWords = /\/texts\/(\w+)\/(?:generic|menu|station)\.json$/.exec(id);
  if (shellWords) return `words-${shellWords[1]}`;
  if (!users.has(start)) return null;
  return id.includes('/node_modules/') ? 'libraries' : 'shell';
}

function partsChunk(page: string, users: ReadonlySet<string>): string | null {
  if (users.has(start) || (users.size === 1 && !wholePages.includes(page))) return null;
  return [...users].some((user) => user.endsWith(page)) ? `parts-of-${basename(page, '.tsx')}` : null;
}

/** The icons that several of the driver's other pages share. */
function iconsChunk(id: string, users: ReadonlySet<string>): string | null {
  if (!id.includes('/lucide-react/') || users.size === 1 || users.has(start)) return null;
  return [...users].some((user) => !user.includes('/backoffice/')) ? 'icons' : null;
}

/** The building blocks that later pages share, and those of staff, who have a file of their own. */
function blocksChunk(id: string, users: ReadonlySet<string>): string | null {
  if (users.size === 1 || users.has(start)) return null;
  if ([...users].every((user) => user.includes('/backoffice/')))
    return /\/(data|ui|backoffice\/parts|backoffice\/shell)\//.test(id) ? 'staff-blocks' : null;
  return /\/src\/(data|ui\/layout)\//.test(id) ? 'blocks' : null;
}

const start = 'start';

/** The entry and the pages that need a module. */
function createEntries(): (id: string, graph: Graph) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (id, graph) => {
    const kept = known.get(id);
    if (kept) return kept;
    const found = new Set<string>();
    const seen = new Set<string>();
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const info = graph.getModuleInfo(next);
      if (seen.has(next) || !info) continue;
      seen.add(next);
      if (info.isEntry) found.add(start);
      if (info.dynamicImporters.length > 0 && !isTwin(next)) found.add(next);
      waiting.push(...info.importers);
    }
    known.set(id, found);
    return found;
  };
}

/** Shows the same screen at another address, so it needs nothing else. */
const isTwin = (id: string) => id.endsWith('/virtual-station-page.tsx');
