import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Font, type Glyph, openFont, openPdf } from './pdf-text.ts';

/** An image of a page or of some words: the darkness of each pixel, from 0 to 1. */
export interface Picture {
  width: number;
  height: number;
  ink: Float32Array;
}

/** Pixels per point. */
export const scale = 2;

type Point = [x: number, y: number];

function blank(width: number, height: number): Picture {
  return { width, height, ink: new Float32Array(width * height) };
}

/** Our own renderer supports what our receipts use: outlines of embedded fonts, and rectangles. */
export function drawnByUs(pdf: Buffer): Picture {
  const { page, fonts } = openPdf(pdf);
  const [, width = 0, height = 0] = (/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? []).map(
    Number,
  );
  const picture = blank(Math.ceil(width * scale), Math.ceil(height * scale));
  let font: Font | undefined;
  let [x, y, size] = [0, 0, 0];
  const parts =
    /([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re|1 0 0 1 ([\d.]+) ([\d.]+) Tm|\/(F\d+) ([\d.]+) Tf|\[([^\]]*)\] TJ/g;
  for (const [, left, top, wide, high, atX, atY, name, points, shown] of page.matchAll(parts)) {
    if (left !== undefined) fill(picture, [box(Number(left), Number(top), Number(wide), Number(high))]);
    if (atX !== undefined) [x, y] = [Number(atX), height - Number(atY)];
    if (name !== undefined) [font, size] = [fonts.get(name)?.font, Number(points)];
    for (const [, hex, kern] of (shown ?? '').matchAll(/<([0-9a-f]+)>|(-?[\d.]+)/gi)) {
      if (kern !== undefined) x -= (Number(kern) * size) / 1000;
      for (const code of hex?.match(/.{4}/g) ?? []) {
        if (!font) continue;
        const glyph = font.getGlyph(Number.parseInt(code, 16));
        fill(picture, outline(glyph, x, y, size / font.unitsPerEm));
        x += (glyph.advanceWidth * size) / font.unitsPerEm;
      }
    }
  }
  return picture;
}

/** Poppler is an independent renderer, where it is installed. */
export const hasPoppler = spawnSync('pdftoppm', ['-v']).status === 0;

export function drawnByPoppler(pdf: Buffer): Picture {
  const folder = mkdtempSync(join(tmpdir(), 'fpay-receipt-'));
  try {
    writeFileSync(join(folder, 'receipt.pdf'), pdf);
    execFileSync('pdftoppm', ['-gray', '-r', String(72 * scale), join(folder, 'receipt.pdf'), join(folder, 'page')]);
    const image = readdirSync(folder).find((file) => file.endsWith('.pgm')) ?? '';
    const file = readFileSync(join(folder, image));
    const [, width = 0, height = 0] = (/^P5\s(\d+) (\d+)\s255\s/.exec(file.toString('latin1')) ?? []).map(Number);
    const picture = blank(width, height);
    file.subarray(file.length - width * height).forEach((grey, at) => {
      picture.ink[at] = 1 - grey / 255;
    });
    return picture;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Renders some words, each letter in the font that has it, without a margin. Text lines have fractional positions:
 * `down` is the distance below the upper edge of a pixel, from 0 to 1.
 */
export function wordsIn(text: string, fonts: readonly Font[], size: number, down = 0): Picture {
  const picture = blank(400 * scale, Math.ceil(size * 2 * scale));
  const baseline = (Math.round(size * 1.5 * scale) + down) / scale;
  let x = 4;
  for (const { font, run } of runs(text, fonts)) {
    const { glyphs, positions } = font.layout(run);
    for (const [index, glyph] of glyphs.entries()) {
      fill(picture, outline(glyph, x, baseline, size / font.unitsPerEm));
      x += ((positions[index]?.xAdvance ?? 0) * size) / font.unitsPerEm;
    }
  }
  return cropped(picture);
}

export const fontFrom = (file: URL): Font => openFont(readFileSync(file));

function runs(text: string, fonts: readonly Font[]): { font: Font; run: string }[] {
  const made: { font: Font; run: string }[] = [];
  for (const letter of text) {
    const font = fonts.find((one) => one.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)) ?? fonts[0];
    if (!font) throw new Error('no fonts');
    const last = made.at(-1);
    if (last?.font === font) last.run += letter;
    else made.push({ font, run: letter });
  }
  return made;
}

/**
 * How well the words match the page at their best position, and where: 1 is an exact match. `left` is where their line
 * begins; `near` limits the search in height.
 */
export function sought(page: Picture, words: Picture, left: number, near?: number): { likeness: number; top: number } {
  const start = Math.round(left * scale);
  let best = { likeness: 0, top: 0 };
  const [first, last] = near === undefined ? [0, page.height - words.height] : [near - 12, near + 12];
  for (let top = first; top <= last; top += 1) {
    if (!page.ink.subarray(top * page.width + start, top * page.width + start + words.width).some((ink) => ink > 0))
      continue;
    for (let from = start - 1; from <= start + 5; from += 1) {
      const likeness = likenessAt(page, words, from, top);
      if (likeness > best.likeness) best = { likeness, top };
    }
  }
  return best;
}

/** The cosine of the two parts of the images, each taken as a list of pixels. */
function likenessAt(page: Picture, words: Picture, left: number, top: number): number {
  let [both, ofPage, ofWords] = [0, 0, 0];
  for (let y = 0; y < words.height; y += 1) {
    for (let x = 0; x < words.width; x += 1) {
      const there = page.ink[(top + y) * page.width + left + x] ?? 0;
      const wanted = words.ink[y * words.width + x] ?? 0;
      both += there * wanted;
      ofPage += there * there;
      ofWords += wanted * wanted;
    }
  }
  return both === 0 ? 0 : both / Math.sqrt(ofPage * ofWords);
}

function cropped({ width, ink }: Picture): Picture {
  const dark = [...ink.keys()].filter((at) => (ink[at] ?? 0) > 0.1);
  const xs = dark.map((at) => at % width);
  const ys = dark.map((at) => Math.floor(at / width));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const made = blank(right - left + 1, bottom - top + 1);
  for (let y = 0; y < made.height; y += 1) {
    for (let x = 0; x < made.width; x += 1) made.ink[y * made.width + x] = ink[(top + y) * width + left + x] ?? 0;
  }
  return made;
}

function box(x: number, y: number, width: number, height: number): Point[] {
  const corners: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return corners.map(([cornerX, cornerY]) => [cornerX * scale, cornerY * scale]);
}

/** The contours of a glyph in pixels, with curves as short lines. */
function outline({ path }: Glyph, x: number, y: number, unit: number): Point[][] {
  const contours: Point[][] = [];
  const place = (px = 0, py = 0): Point => [(x + px * unit) * scale, (y - py * unit) * scale];
  for (const { command, args } of path.commands) {
    const points: Point[] = [];
    for (let index = 0; index < args.length; index += 2) points.push(place(args[index], args[index + 1]));
    const contour = contours.at(-1);
    if (command === 'moveTo') contours.push(points);
    else if (contour) contour.push(...curve([contour.at(-1) ?? [0, 0], ...points]));
  }
  return contours;
}

/** De Casteljau's algorithm, for a line, a quadratic and a cubic curve. */
function curve(points: Point[]): Point[] {
  if (points.length < 2) return [];
  const steps = points.length === 2 ? 1 : 6;
  return Array.from({ length: steps }, (_, index) => {
    const t = (index + 1) / steps;
    let left = points;
    while (left.length > 1) {
      left = left.slice(1).map(([px, py], at): Point => {
        const [qx, qy] = left[at] ?? [0, 0];
        return [qx + (px - qx) * t, qy + (py - qy) * t];
      });
    }
    return left[0] ?? [0, 0];
  });
}

const fine = 4;

/** Fills the inside of contours by fine horizontal lines. */
function fill(picture: Picture, contours: Point[][]): void {
  const edges = contours.flatMap((contour) =>
    contour.map((from, at): [Point, Point] => [from, contour[(at + 1) % contour.length] ?? from]),
  );
  const ys = contours.flat().map(([, y]) => y);
  for (let line = Math.floor(Math.min(...ys) * fine); line <= Math.max(...ys) * fine; line += 1) {
    const y = (line + 0.5) / fine;
    const crossings = edges
      .filter(([[, from], [, to]]) => from <= y !== to <= y)
      .map(([[fromX, fromY], [toX, toY]]) => ({
        x: fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX),
        turn: fromY < toY ? 1 : -1,
      }))
      .sort((a, b) => a.x - b.x);
    let winding = 0;
    for (const [index, { x, turn }] of crossings.entries()) {
      winding += turn;
      const end = crossings[index + 1]?.x;
      if (winding === 0 || end === undefined) continue;
      for (let fineX = Math.round(x * fine); fineX < Math.round(end * fine); fineX += 1) {
        const at = Math.floor(y) * picture.width + Math.floor(fineX / fine);
        if (at >= 0 && at < picture.ink.length)
          picture.ink[at] = Math.min(1, (picture.ink[at] ?? 0) + 1 / (fine * fine));
      }
    }
  }
}
