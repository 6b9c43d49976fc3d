import { currentLanguage } from '../i18n/i18n.ts';
import type { Language } from '../i18n/languages.ts';

const locales = { uk: 'uk-UA', en: 'en-GB', pl: 'pl-PL' } as const satisfies Record<Language, string>;

/** Keeps a unit with its number and thousands in one line. */
export const gap = '\u00a0';
const minus = '\u2212';

interface Decimals {
  least: number;
  most: number;
}

const decimalMarks = { uk: ',', en: '.', pl: ',' } as const satisfies Record<Language, string>;
const thousands = /\B(?=(?:\d{3})+$)/g;

/**
 * The decimal mark follows the language; the thousands gap and the minus are the design's own in all three. By hand: each
 * `Intl.NumberFormat` costs a weak phone ten milliseconds, and the first page has a dozen numbers.
 */
export function formatNumber(value: number, { least, most }: Decimals, language: Language = currentLanguage()): string {
  const digits = roundedDigits(Math.abs(value), most).padStart(most + 1, '0');
  const whole = digits.slice(0, digits.length - most).replace(thousands, gap);
  const decimals = digits
    .slice(digits.length - most)
    .replace(/0+$/, '')
    .padEnd(least, '0');
  const sign = value < 0 || Object.is(value, -0) ? minus : '';
  return sign + whole + (decimals && decimalMarks[language] + decimals);
}

/** With the point moved behind the last decimal in the text, as people round: 18.425 is 18.43, though its bits are a little less. */
function roundedDigits(value: number, decimals: number): string {
  const moved = Number(`${value}e${decimals}`);
  return String(Math.round(Number.isNaN(moved) ? value * 10 ** decimals : moved));
}

export function formatPercent(percent: number, language?: Language): string {
  return `${formatNumber(percent, { least: 0, most: 0 }, language)}${gap}%`;
}

/** To make one takes as long as to draw a small page. */
const instantFormats = new Map<string, Intl.DateTimeFormat>();

/** Times are the network's own: everything it charges stands in one time zone, whatever the phone thinks. */
export function formatInstant(
  instant: string,
  options: Intl.DateTimeFormatOptions,
  language: Language = currentLanguage(),
): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format =
    instantFormats.get(key) ?? new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'Europe/Kyiv' });
  instantFormats.set(key, format);
  return format.format(new Date(instant));
}

/** A stretch of days, `9–15 листопада`. Days are dates without a time, `2026-11-09`. */
export function formatDays(first: string, last: string, language: Language = currentLanguage()): string {
  const format = new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.formatRange(new Date(first), new Date(last));
}
