import { languageRecords } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { currentLanguage } from '../../i18n/i18n.ts';

/** Keeps a unit with its number, and thousands, on one line. */
export const gap = '\u00a0';
const minus = '\u2212';

interface Decimals {
  least: number;
  most: number;
}

const thousands = /\B(?=(?:\d{3})+$)/g;

/**
 * The marks follow the language; the minus is the same in all. Without
 * `Intl.NumberFormat`, because each instance costs a slow phone ten milliseconds and the first page has a dozen
 * numbers.
 */
export function formatNumber(value: number, { least, most }: Decimals, language: Language = currentLanguage()): string {
  const { thousandMark, decimalMark } = languageRecords[language];
  const digits = roundedDigits(Math.abs(value), most).padStart(most + 1, '0');
  const whole = digits.slice(0, digits.length - most).replace(thousands, thousandMark);
  const decimals = digits
    .slice(digits.length - most)
    .replace(/0+$/, '')
    .padEnd(least, '0');
  const sign = value < 0 || Object.is(value, -0) ? minus : '';
  return sign + whole + (decimals && decimalMark + decimals);
}

/**
 * The decimal point is moved in the text before rounding, so that 18.425 gives 18.43 although its binary value is
 * slightly less.
 */
function roundedDigits(value: number, decimals: number): string {
  const moved = Number(`${value}e${decimals}`);
  return String(Math.round(Number.isNaN(moved) ? value * 10 ** decimals : moved));
}

/** `10 %` in Ukrainian, `10%` in English and Polish. */
export function formatPercent(percent: number, language: Language = currentLanguage()): string {
  return `${formatNumber(percent, { least: 0, most: 0 }, language)}${languageRecords[language].percentGap}%`;
}

/** Creating a formatter takes as long as rendering a small page. */
const instantFormats = new Map<string, Intl.DateTimeFormat>();

/** Times are in the network's time zone, regardless of the phone's. */
export function formatInstant(
  instant: string,
  options: Intl.DateTimeFormatOptions,
  language: Language = currentLanguage(),
): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format =
    instantFormats.get(key) ??
    new Intl.DateTimeFormat(languageRecords[language].locale, { ...options, timeZone: 'Europe/Kyiv' });
  instantFormats.set(key, format);
  return format.format(new Date(instant));
}

/** A range of days, `9–15 листопада`. Days are dates without a time, `2026-11-09`. */
export function formatDays(first: string, last: string, language: Language = currentLanguage()): string {
  const format = new Intl.DateTimeFormat(languageRecords[language].locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  return format.formatRange(new Date(first), new Date(last));
}
