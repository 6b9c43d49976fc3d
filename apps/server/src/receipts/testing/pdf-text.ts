import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';

export interface Glyph {
  advanceWidth: number;
  path: { commands: { command: string; args: number[] }[] };
}

export interface Font {
  unitsPerEm: number;
  getGlyph(id: number): Glyph;
  hasGlyphForCodePoint(code: number): boolean;
  layout(text: string): { glyphs: Glyph[]; positions: { xAdvance: number }[] };
}

// Installed with pdfkit, without types.
const fontkit: { create(file: Buffer): Font } = createRequire(import.meta.resolve('pdfkit'))('fontkit');
export const openFont = (file: Buffer): Font => fontkit.create(file);

/** One font of a PDF as a viewer reads it: the meaning of its codes, and their outlines. */
interface EmbeddedFont {
  textOf: Map<string, string>;
  font: Font;
}

/**
 * Reads our receipts as a viewer does: by the embedded fonts and their maps to Unicode, not by our source texts. It
 * supports only the parts of PDF that pdfkit writes.
 */
export function openPdf(pdf: Buffer): { page: string; fonts: Map<string, EmbeddedFont> } {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, EmbeddedFont>();
  for (const [, head] of objects.heads) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      if (/\/Font\b/.test(head)) fonts.set(name, fontOf(objects, Number(id)));
    }
  }
  const page =
    [...objects.streams.values()].map((bytes) => bytes.toString('latin1')).find((text) => /\bTf\b/.test(text)) ?? '';
  return { page, fonts };
}

/** The text line by line, and the letters without an outline, which would be missing on paper. */
export function readPdf(pdf: Buffer): { text: string; blanks: string[] } {
  const { page, fonts } = openPdf(pdf);
  const rows = new Map<string, string>();
  const blanks: string[] = [];
  let font: EmbeddedFont | undefined;
  let row = '';
  for (const [, tm, fontName, shown] of page.matchAll(
    /1 0 0 1 [\d.]+ ([\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g,
  )) {
    if (tm !== undefined) row = tm;
    if (fontName !== undefined) font = fonts.get(fontName);
    if (shown === undefined || !font) continue;
    for (const [, hex = ''] of shown.matchAll(/<([0-9a-f]+)>/gi)) {
      for (const code of hex.match(/.{4}/g) ?? []) {
        const letter = font.textOf.get(code.toLowerCase()) ?? '\ufffd';
        rows.set(row, (rows.get(row) ?? '') + letter);
        const { path } = font.font.getGlyph(Number.parseInt(code, 16));
        if (letter.trim() !== '' && path.commands.length === 0) blanks.push(letter);
      }
    }
  }
  return { text: [...rows.values()].join('\n').replaceAll('\u00a0', ' '), blanks };
}

function objectsOf(pdf: Buffer) {
  const heads = new Map<number, string>();
  const streams = new Map<number, Buffer>();
  const text = pdf.toString('latin1');
  for (const match of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id = '', body = ''] = match;
    const at = body.indexOf('stream\n');
    heads.set(Number(id), at < 0 ? body : body.slice(0, at));
    if (at < 0) continue;
    const length = Number(/\/Length (\d+)/.exec(body)?.[1]);
    const start = match.index + match[0].indexOf('stream\n') + 'stream\n'.length;
    const bytes = pdf.subarray(start, start + length);
    streams.set(Number(id), body.includes('/FlateDecode') ? inflateSync(bytes) : bytes);
  }
  return { heads, streams };
}

function fontOf({ heads, streams }: ReturnType<typeof objectsOf>, id: number): EmbeddedFont {
  const refIn = (head: string | undefined, name: string) =>
    Number(new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(head ?? '')?.[1]);
  const head = heads.get(id);
  const textOf = new Map<string, string>();
  const cmap = streams.get(refIn(head, 'ToUnicode'))?.toString('latin1') ?? '';
  for (const [, from = '', , list = ''] of cmap.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi)) {
    [...list.matchAll(/<([0-9a-f ]+)>/gi)].forEach(([, hex = ''], index) => {
      const code = (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0');
      textOf.set(code, Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    });
  }
  const descriptor = heads.get(refIn(heads.get(refIn(head, 'DescendantFonts')), 'FontDescriptor'));
  const file = streams.get(refIn(descriptor, 'FontFile2')) ?? Buffer.alloc(0);
  return { textOf, font: openFont(file) };
}
