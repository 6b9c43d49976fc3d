import type { Language } from '@fpay/contract/person';
import { inLanguage } from '@fpay/contract/translated';
import type { LabelBounds, LabelLook, LineLabel, PlacedLabel } from './label.ts';

interface TextSize {
  width: number;
  height: number;
}
interface LineArrangement {
  language: Language;
  /** The screen position of a point of the world of width and height 1, in CSS px. */
  at: (x: number, y: number) => { x: number; y: number };
  /** The coordinates of a screen position. */
  placeAt: (x: number, y: number) => { lat: number; lon: number };
  screen: { width: number; height: number };
  measure: (text: string, look: LabelLook) => TextSize;
  /** Occupied areas: markers and names of places. */
  taken: readonly LabelBounds[];
}

/** The same name again only at this distance. */
const repeatPx = 280;
/** Where along a line a name is tried, from the middle outwards. */
const tries = [0.5, 0.35, 0.65, 0.2, 0.8] as const;
/** A bend larger than this makes straight text leave the street. */
const mostBendPx = 3.5;
const gapPx = 4;

/** Places names along streets: on their straight parts, never over markers, places or each other. */
export function arrangeLines(lines: readonly LineLabel[], arrangement: LineArrangement): PlacedLabel[] {
  const { language, measure, screen } = arrangement;
  const taken = [...arrangement.taken];
  const placed: PlacedLabel[] = [];
  const known = new Map<string, { x: number; y: number }[]>();
  for (const { names, look, path, weight } of lines) {
    const text = inLanguage(names, language);
    if (!touchesScreen(path, arrangement)) continue;
    const size = measure(text, look);
    const pixels = pixelsOf(path, arrangement.at);
    const length = lengthOf(pixels);
    if (length < size.width + 2 * gapPx) continue;
    for (const share of tries) {
      const run = straightRun(pixels, length * share, size.width);
      if (!run || !isOnScreen(run, screen)) continue;
      const same = known.get(text) ?? [];
      if (same.some(({ x, y }) => Math.hypot(x - run.x, y - run.y) < repeatPx)) break;
      const boxes = boxesAlong(run, size);
      if (boxes.some((box) => taken.some((other) => overlaps(box, other)))) continue;
      taken.push(...boxes);
      known.set(text, [...same, run]);
      const label = { names, look, weight, fromZoom: 0, toZoom: 20, ...arrangement.placeAt(run.x, run.y) };
      placed.push({ label, look, text, dx: 0, dy: 0, angle: run.angle });
      break;
    }
  }
  return placed;
}

interface Run {
  x: number;
  y: number;
  /** Radians, so that the text is never upside down. */
  angle: number;
}

/** The part of a line around this position that is as long as the text; null when it bends too much or ends. */
export function straightRun(pixels: readonly number[], middle: number, width: number): Run | null {
  const from = pointAlong(pixels, middle - width / 2);
  const to = pointAlong(pixels, middle + width / 2);
  if (!from || !to) return null;
  const chord = Math.hypot(to.x - from.x, to.y - from.y);
  if (chord < width * 0.9) return null;
  for (let at = from.after; at <= to.before; at += 2) {
    const x = pixels[at] ?? 0;
    const y = pixels[at + 1] ?? 0;
    const away = Math.abs((to.x - from.x) * (from.y - y) - (from.x - x) * (to.y - from.y)) / chord;
    if (away > mostBendPx) return null;
  }
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const upright = Math.abs(angle) > Math.PI / 2 ? angle - Math.sign(angle) * Math.PI : angle;
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, angle: upright };
}

/** The point at a distance from the line's beginning, with the indexes of its neighbours. */
function pointAlong(pixels: readonly number[], distance: number) {
  if (distance < 0) return null;
  let passed = 0;
  for (let at = 0; at + 3 < pixels.length; at += 2) {
    const ax = pixels[at] as number;
    const ay = pixels[at + 1] as number;
    const bx = pixels[at + 2] as number;
    const by = pixels[at + 3] as number;
    const length = Math.hypot(bx - ax, by - ay);
    if (passed + length >= distance && length > 0) {
      const share = (distance - passed) / length;
      return { x: ax + (bx - ax) * share, y: ay + (by - ay) * share, before: at, after: at + 2 };
    }
    passed += length;
  }
  return null;
}

function pixelsOf(path: readonly number[], at: LineArrangement['at']): number[] {
  const pixels: number[] = [];
  for (let index = 0; index < path.length; index += 2) {
    const { x, y } = at(path[index] ?? 0, path[index + 1] ?? 0);
    pixels.push(x, y);
  }
  return pixels;
}

function lengthOf(pixels: readonly number[]): number {
  let length = 0;
  for (let at = 0; at + 3 < pixels.length; at += 2) {
    length += Math.hypot((pixels[at + 2] ?? 0) - (pixels[at] ?? 0), (pixels[at + 3] ?? 0) - (pixels[at + 1] ?? 0));
  }
  return length;
}

/** True when the box around a line is on the screen; most lines of a tile are outside of a close view. */
function touchesScreen(path: readonly number[], { at, screen }: LineArrangement): boolean {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < path.length; index += 2) {
    const x = path[index] as number;
    const y = path[index + 1] as number;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  const [from, to] = [at(left, top), at(right, bottom)];
  return to.x > 0 && to.y > 0 && from.x < screen.width && from.y < screen.height;
}

function isOnScreen({ x, y }: Run, { width, height }: { width: number; height: number }): boolean {
  return x > 0 && y > 0 && x < width && y < height;
}

/** Squares along the text, because one box around a slanting text would be mostly empty. */
function boxesAlong({ x, y, angle }: Run, { width, height }: TextSize): LabelBounds[] {
  const half = height / 2;
  const count = Math.max(1, Math.ceil(width / height));
  return Array.from({ length: count }, (_, index) => {
    const along = (index + 0.5) * (width / count) - width / 2;
    const [cx, cy] = [x + Math.cos(angle) * along, y + Math.sin(angle) * along];
    return { left: cx - half, right: cx + half, top: cy - half, bottom: cy + half };
  });
}

function overlaps(a: LabelBounds, b: LabelBounds): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
