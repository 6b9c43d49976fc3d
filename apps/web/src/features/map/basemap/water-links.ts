import type { Path, TileShape } from './geometry.ts';

/** Longer gaps are between different waters. In the unit of the world; about 2.5 km in Ukraine. */
const longestGap = 9.5e-5;
/** About 500 m. */
const reach = 2e-5;

/**
 * Lines that close the gaps of rivers. The source has only waters wider than 100 m, so a river is a chain of separate
 * areas; neighbours are joined at their nearest points, each area to its chain once.
 */
export function waterLinks(waters: readonly TileShape[]): Path[] {
  const gaps: { length: number; one: number; other: number; line: Path }[] = [];
  for (const [one, a] of waters.entries()) {
    for (let other = one + 1; other < waters.length; other++) {
      const gap = gapBetween(a, waters[other] as TileShape);
      if (gap) gaps.push({ ...gap, one, other });
    }
  }
  const chainOf = waters.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (chainOf[root] !== root) root = chainOf[root] as number;
    return root;
  };
  return gaps
    .sort((a, b) => a.length - b.length)
    .flatMap(({ one, other, line }) => {
      const [a, b] = [rootOf(one), rootOf(other)];
      if (a === b) return [];
      chainOf[a] = b;
      return [line];
    });
}

/** The nearest points of two areas; null when they are too far apart. */
function gapBetween(a: TileShape, b: TileShape): { length: number; line: Path } | null {
  const isFar =
    a.box[0] - longestGap > b.box[2] ||
    b.box[0] - longestGap > a.box[2] ||
    a.box[1] - longestGap > b.box[3] ||
    b.box[1] - longestGap > a.box[3];
  const [from, to] = [a.paths[0], b.paths[0]];
  if (isFar || !from || !to) return null;
  let length = longestGap;
  let line: Path | null = null;
  for (let i = 0; i < from.length; i += 2) {
    for (let j = 0; j < to.length; j += 2) {
      const [ax, ay, bx, by] = [from[i] as number, from[i + 1] as number, to[j] as number, to[j + 1] as number];
      const distance = Math.hypot(ax - bx, ay - by);
      if (distance >= length) continue;
      length = distance;
      line = Float64Array.of(ax, ay, bx, by);
    }
  }
  return line && { length, line };
}

/** The line continued into both areas, whose corners are smoothed when they are drawn. */
export function extendedLink([ax = 0, ay = 0, bx = 0, by = 0]: Path): Path {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [x, y] = [((bx - ax) / length) * reach, ((by - ay) / length) * reach];
  return Float64Array.of(ax - x, ay - y, bx + x, by + y);
}
