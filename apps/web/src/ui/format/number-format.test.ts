import { languageRecords, languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { describe, expect, it } from 'vitest';
import { formatNumber, formatPercent } from './number-format.ts';

/** The browser's own result, with the design's gap and minus. */
function byTheBrowser(value: number, least: number, most: number, language: Language): string {
  const options = { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping: 'always' } as const;
  return new Intl.NumberFormat(languageRecords[language].locale, options)
    .formatToParts(value)
    .map(({ type, value: part }) =>
      type === 'group' && /\s/.test(part) ? '\u00a0' : type === 'minusSign' ? '\u2212' : part,
    )
    .join('');
}

const values = [
  0, -0, 7, 999, 1000, 1284.5, 1234567.89, 0.001, -0.001, 0.005, 18.425, 470.715, -393.155, 99.995, 362.5, 1e-7, 2.5,
  -2.5,
];
const decimals = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 2],
  [2, 2],
  [1, 3],
] as const;

describe('a number', () => {
  it.each(languages)('is written and rounded as the browser does it: %s', (language) => {
    for (const value of values) {
      for (const [least, most] of decimals) {
        const written = formatNumber(value, { least, most }, language);
        expect(written, `${value} with ${least} to ${most}`).toBe(byTheBrowser(value, least, most, language));
      }
    }
  });
});

it.each([
  ['uk', '14\u00a0291,48', '\u221215\u00a0%'],
  ['en', '14,291.48', '\u221215%'],
  ['pl', '14\u00a0291,48', '\u221215%'],
] as const)('thousands and percent are written as people of the language do: %s', (language, thousands, percent) => {
  expect(formatNumber(14_291.48, { least: 2, most: 2 }, language)).toBe(thousands);
  expect(formatPercent(-15, language)).toBe(percent);
});
