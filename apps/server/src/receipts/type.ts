import { readFileSync } from 'node:fs';

/** Manrope has one file per script, so a text is set in runs, each with the file that has its letters. */
const pieces = ['latin', 'cyrillic', 'latin-ext'] as const;
type Piece = (typeof pieces)[number];
export type Weight = 400 | 700;

export interface Run {
  font: string;
  text: string;
}

// Read once, so that a receipt does not wait for the disk.
const files = new Map<string, Buffer>();
for (const piece of pieces) {
  for (const weight of [400, 700] as const) {
    files.set(nameOf(piece, weight), readFileSync(new URL(`fonts/${nameOf(piece, weight)}.ttf`, import.meta.url)));
  }
}

export function fontFile(name: string): Buffer {
  const file = files.get(name);
  if (!file) throw new Error(`there is no font ${name}`);
  return file;
}

function nameOf(piece: Piece, weight: Weight): string {
  return `manrope-${piece}-${weight}`;
}

/** The file that has a letter. A letter that no file has is shown as a question mark, never as an empty box. */
function pieceOf(letter: string): Piece | null {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= 0x20 && code <= 0x7e) return 'latin';
  if (code >= 0xa0 && code <= 0xff) return 'latin';
  if ((code >= 0x400 && code <= 0x45f) || 'Ґґ№'.includes(letter)) return 'cyrillic';
  if ((code >= 0x100 && code <= 0x17f) || letter === '₴') return 'latin-ext';
  return '–—‘’“”„•…€'.includes(letter) ? 'latin' : null;
}

/** Signs that the font has under another code. */
const likenesses = new Map([
  ['\u202f', '\u00a0'],
  ['\u2009', '\u00a0'],
  ['\u2011', '-'],
  // The apostrophe of Ukrainian words as some keyboards type it.
  ['\u02bc', '’'],
]);

export function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const typed of text.normalize('NFC')) {
    const letter = likenesses.get(typed) ?? typed;
    const piece = pieceOf(letter);
    const font = nameOf(piece ?? 'latin', weight);
    const last = runs.at(-1);
    if (last?.font === font) last.text += piece ? letter : '?';
    else runs.push({ font, text: piece ? letter : '?' });
  }
  return runs;
}
