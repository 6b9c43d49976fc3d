type Milestone = 'map-data' | 'map-markers';

/** For whoever measures: the latest time this happened, in the browser's own timeline. Not every place has one. */
export function milestone(name: Milestone): void {
  performance.clearMarks?.(name);
  performance.mark?.(name);
}
