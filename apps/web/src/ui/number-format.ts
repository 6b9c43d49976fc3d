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

/** The decimal mark follows the language; the thousands gap and the minus are the design's own in all three. */
export function formatNumber(value: number, { least, most }: Decimals, language: Language = currentLanguage()): string {
  const format = new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    useGrouping: 'always',
  });
  return format
    .formatToParts(value)
    .map(({ type, value: part }) => (type === 'group' ? gap : type === 'minusSign' ? minus : part))
    .join('');
}

export function formatPercent(percent: number, language?: Language): string {
  return `${formatNumber(percent, { least: 0, most: 0 }, language)}${gap}%`;
}

/** Times are the network's own: everything it charges stands in one time zone, whatever the phone thinks. */
export function formatInstant(
  instant: string,
  options: Intl.DateTimeFormatOptions,
  language: Language = currentLanguage(),
): string {
  return new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'Europe/Kyiv' }).format(new Date(instant));
}

/** A stretch of days, `9–15 листопада`. Days are dates without a time, `2026-11-09`. */
export function formatDays(first: string, last: string, language: Language = currentLanguage()): string {
  const format = new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.formatRange(new Date(first), new Date(last));
}
