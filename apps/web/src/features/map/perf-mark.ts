type PerfMarkName = 'map-data' | 'map-markers';

/** Sets a mark in the browser's performance timeline for benches. Not every browser has one. */
export function perfMark(name: PerfMarkName): void {
  performance.clearMarks?.(name);
  performance.mark?.(name);
}
