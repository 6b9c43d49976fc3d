import { worldX, worldY } from '../basemap/geometry.ts';
import type { Point } from './distance.ts';

/** Half of the size of an icon, and its centre relative to its place, in CSS px. */
export interface IconBox {
  halfWidth: number;
  halfHeight: number;
  centreY: number;
}

export interface SpreadItem extends Point {
  box: IconBox;
  /** Stays on its place; the others move aside. */
  isFixed: boolean;
}

/** The offset of an icon from its place, in CSS px. */
export interface Offset {
  dx: number;
  dy: number;
}

/** Between two icons: 8 px, and what rounding to whole pixels may take away. */
const gapPx = 9.5;
/** An icon farther from its place would be taken for another one. */
const mostOffsetPx = 36;
const mostRounds = 24;
/** Rounding errors are no overlap. */
const tolerancePx = 0.5;
/** The largest icon, the gap, and twice the offset. */
const cellPx = 128;
/** More than the rows of any zoom; makes one number of a column and a row. */
const rows = 2 ** 20;

/** All icons in flat arrays, because every pair is compared in every round while the driver moves the map. */
interface Bodies {
  x: Float64Array;
  y: Float64Array;
  dx: Float64Array;
  dy: Float64Array;
  halfWidth: Float64Array;
  halfHeight: Float64Array;
  isFixed: Uint8Array;
}

/**
 * Pushes icons apart until at least 8 px are between them. Icons that would have to go too far are returned as pairs, by
 * index; their caller merges them and tries again.
 */
export function spreadOut(
  items: readonly SpreadItem[],
  zoom: number,
): { offsets: Offset[]; stuck: [number, number][] } {
  const bodies = bodiesOf(items, 256 * 2 ** zoom);
  const pairs = neighbours(bodies);
  for (let round = 0; round < mostRounds; round++) {
    let hasMoved = false;
    for (let at = 0; at < pairs.length; at += 2) {
      if (push(bodies, pairs[at] as number, pairs[at + 1] as number)) hasMoved = true;
    }
    if (!hasMoved) break;
  }
  const stuck: [number, number][] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const [one, other] = [pairs[at] as number, pairs[at + 1] as number];
    if (overlapX(bodies, one, other) > tolerancePx && overlapY(bodies, one, other) > tolerancePx)
      stuck.push([one, other]);
  }
  const offsets = items.map((_, index) => ({
    dx: Math.round(bodies.dx[index] as number),
    dy: Math.round(bodies.dy[index] as number),
  }));
  return { offsets, stuck };
}

function bodiesOf(items: readonly SpreadItem[], worldPx: number): Bodies {
  return {
    x: Float64Array.from(items, ({ lon }) => worldX(lon) * worldPx),
    y: Float64Array.from(items, ({ lat, box }) => worldY(lat) * worldPx + box.centreY),
    dx: new Float64Array(items.length),
    dy: new Float64Array(items.length),
    halfWidth: Float64Array.from(items, ({ box }) => box.halfWidth),
    halfHeight: Float64Array.from(items, ({ box }) => box.halfHeight),
    isFixed: Uint8Array.from(items, ({ isFixed }) => Number(isFixed)),
  };
}

/** Indexes of pairs that are near enough to meet, however far each of them goes: one, other, one, other … */
function neighbours({ x, y }: Bodies): number[] {
  const cells = new Map<number, number[]>();
  const pairs: number[] = [];
  for (let index = 0; index < x.length; index++) {
    const column = Math.floor((x[index] as number) / cellPx);
    const row = Math.floor((y[index] as number) / cellPx);
    for (let c = column - 1; c <= column + 1; c++) {
      for (let r = row - 1; r <= row + 1; r++) {
        for (const other of cells.get(c * rows + r) ?? []) pairs.push(other, index);
      }
    }
    const key = column * rows + row;
    const cell = cells.get(key);
    if (cell) cell.push(index);
    else cells.set(key, [index]);
  }
  return pairs;
}

/** How far two icons overlap sideways, including the gap; negative when they do not. */
function overlapX({ x, dx, halfWidth }: Bodies, a: number, b: number): number {
  const away = (x[b] as number) + (dx[b] as number) - (x[a] as number) - (dx[a] as number);
  return (halfWidth[a] as number) + (halfWidth[b] as number) + gapPx - Math.abs(away);
}

function overlapY({ y, dy, halfHeight }: Bodies, a: number, b: number): number {
  const away = (y[b] as number) + (dy[b] as number) - (y[a] as number) - (dy[a] as number);
  return (halfHeight[a] as number) + (halfHeight[b] as number) + gapPx - Math.abs(away);
}

/** Moves two overlapping icons along the shorter way; returns whether one has moved. */
function push(bodies: Bodies, a: number, b: number): boolean {
  const sideways = overlapX(bodies, a, b);
  if (sideways <= tolerancePx) return false;
  const upright = overlapY(bodies, a, b);
  if (upright <= tolerancePx) return false;
  const isSideways = sideways <= upright;
  const [at, offset] = isSideways ? [bodies.x, bodies.dx] : [bodies.y, bodies.dy];
  const away = (at[b] as number) + (offset[b] as number) - (at[a] as number) - (offset[a] as number);
  // Two on the same place go east and west.
  const step = Math.min(sideways, upright) * (away < 0 ? -1 : 1);
  const share = bodies.isFixed[a] || bodies.isFixed[b] ? 1 : 0.5;
  const hasFirstMoved = shift(bodies, a, -step * share, isSideways);
  return shift(bodies, b, step * share, isSideways) || hasFirstMoved;
}

function shift({ dx, dy, isFixed }: Bodies, index: number, by: number, isSideways: boolean): boolean {
  if (isFixed[index]) return false;
  const beforeX = dx[index] as number;
  const beforeY = dy[index] as number;
  let [x, y] = isSideways ? [beforeX + by, beforeY] : [beforeX, beforeY + by];
  const length = Math.sqrt(x * x + y * y);
  if (length > mostOffsetPx) {
    x *= mostOffsetPx / length;
    y *= mostOffsetPx / length;
  }
  dx[index] = x;
  dy[index] = y;
  return Math.abs(x - beforeX) + Math.abs(y - beforeY) > 0.1;
}
