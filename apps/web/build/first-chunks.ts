type Graph = { getModuleInfo(id: string): { importers: readonly string[]; isEntry: boolean } | null };

/**
 * Two chunks for everything the first page needs before any route is chosen: libraries, which stay in the browser's
 * cache over our releases, and our own shell. Left alone the bundler would make a dozen tiny files of it, because pages
 * share parts with it. What only a page needs goes with that page, libraries too.
 */
export function firstChunks(): (id: string, graph: Graph) => string | null {
  const isNeededAtStart = new Map<string, boolean>();

  function check(id: string, graph: Graph): boolean {
    const known = isNeededAtStart.get(id);
    if (known !== undefined) return known;
    // Also ends circles: a module is not needed at the start merely because it imports itself.
    isNeededAtStart.set(id, false);
    const info = graph.getModuleInfo(id);
    const needed = info !== null && (info.isEntry || info.importers.some((importer) => check(importer, graph)));
    isNeededAtStart.set(id, needed);
    return needed;
  }

  return (id, graph) => {
    if (!check(id, graph)) return null;
    return id.includes('/node_modules/') ? 'libraries' : 'shell';
  };
}
