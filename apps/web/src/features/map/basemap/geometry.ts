import type { Area, MapLine } from './source.ts';

/** x, y, x, y … in a world of width and height 1 (Web Mercator). */
export type Path = Float64Array;
/** Left, top, right, bottom. */
export type Rectangle = readonly [number, number, number, number];

export interface TileShape {
  box: Rectangle;
  paths: Path[];
}

export function worldX(lon: number): number {
  return lon / 360 + 0.5;
}

export function worldY(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Each polygon is a shape of its own, so that a tile can skip those outside of it. */
export function areasOf(area: Area): TileShape[] {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return polygons.map((rings) => shapeOf(rings.map(pathOf)));
}

export function linesOf(line: MapLine): TileShape[] {
  const lines = line.type === 'LineString' ? [line.coordinates] : line.coordinates;
  return lines.map((points) => shapeOf([pathOf(points)]));
}

/**
 * Cuts every corner twice, because coastlines that were simplified for the whole country look angular at a close zoom.
 */
export function smoothed({ paths }: TileShape, isClosed: boolean): TileShape {
  return shapeOf(paths.map((path) => cutCorners(cutCorners(path, isClosed), isClosed)));
}

export function touches(a: Rectangle, b: Rectangle): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}

/** The part of a ring within the rectangle, because distant coordinates lose precision on a canvas. */
export function clipRing(ring: Path, rectangle: Rectangle): number[] {
  let points: ArrayLike<number> = ring;
  for (const side of [0, 1, 2, 3] as const) {
    points = clipSide(points, side, rectangle[side]);
    if (points.length === 0) break;
  }
  return points as number[];
}

/** The parts of a line near the rectangle. */
export function* runsWithin(line: Path, rectangle: Rectangle): Generator<[first: number, last: number]> {
  let first = -1;
  for (let at = 0; at + 3 < line.length; at += 2) {
    const isNear = segmentTouches(line, at, rectangle);
    if (isNear && first < 0) first = at;
    if (!isNear && first >= 0) {
      yield [first, at];
      first = -1;
    }
  }
  if (first >= 0) yield [first, line.length - 2];
}

/**
 * True when the box around a segment touches the rectangle. It runs for every segment of every tile, so it avoids
 * allocation.
 */
function segmentTouches(line: Path, at: number, [left, top, right, bottom]: Rectangle): boolean {
  const ax = line[at] as number;
  const ay = line[at + 1] as number;
  const bx = line[at + 2] as number;
  const by = line[at + 3] as number;
  return Math.min(ax, bx) <= right && Math.max(ax, bx) >= left && Math.min(ay, by) <= bottom && Math.max(ay, by) >= top;
}

function pathOf(points: number[][]): Path {
  const path = new Float64Array(points.length * 2);
  for (const [index, [lon = 0, lat = 0]] of points.entries()) {
    path[index * 2] = worldX(lon);
    path[index * 2 + 1] = worldY(lat);
  }
  return path;
}

export function shapeOf(paths: Path[]): TileShape {
  const box: [number, number, number, number] = [1, 1, 0, 0];
  for (const path of paths) {
    for (let at = 0; at < path.length; at += 2) {
      const x = path[at] as number;
      const y = path[at + 1] as number;
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return { box, paths };
}

function cutCorners(path: Path, isClosed: boolean): Path {
  const segments = path.length / 2 - 1;
  if (segments < 2) return path;
  // An open line keeps its two ends; a ring returns to its first point.
  const cut = new Float64Array(segments * 4 + (isClosed ? 2 : 4));
  let to = 0;
  if (!isClosed) {
    cut.set(path.subarray(0, 2));
    to = 2;
  }
  for (let at = 0; at < segments * 2; at += 2) {
    const ax = path[at] as number;
    const ay = path[at + 1] as number;
    const bx = path[at + 2] as number;
    const by = path[at + 3] as number;
    cut[to] = ax * 0.75 + bx * 0.25;
    cut[to + 1] = ay * 0.75 + by * 0.25;
    cut[to + 2] = ax * 0.25 + bx * 0.75;
    cut[to + 3] = ay * 0.25 + by * 0.75;
    to += 4;
  }
  cut.set(isClosed ? cut.subarray(0, 2) : path.subarray(-2), to);
  return cut;
}

/** One side of the rectangle, after Sutherland and Hodgman: 0 left, 1 top, 2 right, 3 bottom. */
function clipSide(points: ArrayLike<number>, side: 0 | 1 | 2 | 3, limit: number): number[] {
  const axis = side % 2;
  const isInside = side < 2 ? (value: number) => value >= limit : (value: number) => value <= limit;
  const clipped: number[] = [];
  let px = points[points.length - 2] ?? 0;
  let py = points[points.length - 1] ?? 0;
  let wasInside = isInside(axis === 0 ? px : py);
  for (let at = 0; at < points.length; at += 2) {
    const x = points[at] ?? 0;
    const y = points[at + 1] ?? 0;
    const inside = isInside(axis === 0 ? x : y);
    if (inside !== wasInside) {
      const share = axis === 0 ? (limit - px) / (x - px) : (limit - py) / (y - py);
      clipped.push(px + (x - px) * share, py + (y - py) * share);
    }
    if (inside) clipped.push(x, y);
    px = x;
    py = y;
    wasInside = inside;
  }
  return clipped;
}
