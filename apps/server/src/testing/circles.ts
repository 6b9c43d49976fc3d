import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What imports what, by path from the root of the repository; an import of a type counts like any other. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const importedFrom = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'\n]+)'/g;

/** The relative imports among the files of these patterns. */
export function importGraph(root: string, patterns: readonly string[]): ImportGraph {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules'] }));
  const known = new Set(files);
  const targetsOf = (file: string) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(importedFrom)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => known.has(path));
  return new Map(files.map((file) => [file, new Set(targetsOf(file))]));
}

/** The same arrows between larger parts, for example folders. What has no part is left out. */
export function joined(graph: ImportGraph, partOf: (file: string) => string | null): ImportGraph {
  const parts = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const from = partOf(file);
    for (const target of targets) {
      const to = partOf(target);
      if (from !== null && to !== null && from !== to) parts.set(from, (parts.get(from) ?? new Set()).add(to));
    }
  }
  return parts;
}

/** The same arrows between the folders that are side by side where the paths of two files part. */
export function betweenSiblings(graph: ImportGraph, counts: (file: string) => boolean): ImportGraph {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    for (const target of targets) {
      if (!counts(file) || !counts(target)) continue;
      const [from, to] = [dirname(file).split('/'), dirname(target).split('/')];
      const depth = from.findIndex((name, index) => name !== to[index]);
      // One of the two folders contains the other.
      if (depth === -1 || depth >= to.length) continue;
      const [left, right] = [from.slice(0, depth + 1).join('/'), to.slice(0, depth + 1).join('/')];
      folders.set(left, (folders.get(left) ?? new Set()).add(right));
    }
  }
  return folders;
}

/**
 * Groups in which each member reaches each other one (Tarjan's strongly connected components). A group of one is no
 * circle, because no file imports itself.
 */
export function circlesIn(graph: ImportGraph): string[][] {
  const seenAs = new Map<string, number>();
  const reaches = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    seenAs.set(node, seenAs.size);
    let lowest = seenAs.get(node) ?? 0;
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!seenAs.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, reaches.get(next) ?? seenAs.get(next) ?? 0);
    }
    reaches.set(node, lowest);
    if (lowest === seenAs.get(node)) {
      const circle = open.splice(open.indexOf(node)).sort();
      if (circle.length > 1) circles.push(circle);
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!seenAs.has(node)) visit(node);
  return circles;
}
