import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Makes the receipt's fonts from Manrope, which the pages use too. Manrope is published as woff2 files per script with
 * a variable weight; a PDF needs plain TrueType of one weight. It is run by hand when the font or the alphabet changes:
 * `node build-fonts.ts`.
 */
const require = createRequire(import.meta.url);

type SubsetFont = (
  font: Buffer,
  alphabet: string,
  options: { targetFormat: 'truetype'; variationAxes: Record<string, number> },
) => Promise<Buffer>;
// The package has no types.
const subsetFont: SubsetFont = require('subset-font');

const weights = [400, 700];

/** Latin with all Polish letters, Cyrillic with all Ukrainian letters, and the signs of money and numbers. */
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');
const alphabets = {
  latin: `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’“”„•…€`,
  'latin-ext': `${range(0x100, 0x17f)}₴`,
  cyrillic: `${range(0x400, 0x45f)}Ґґ№`,
};

for (const [piece, alphabet] of Object.entries(alphabets)) {
  const source = readFileSync(require.resolve(`@fontsource-variable/manrope/files/manrope-${piece}-wght-normal.woff2`));
  for (const wght of weights) {
    const font = await subsetFont(source, alphabet, { targetFormat: 'truetype', variationAxes: { wght } });
    writeFileSync(new URL(`fonts/manrope-${piece}-${wght}.ttf`, import.meta.url), font);
  }
}
