import { languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';

export { type Language, languages };

/** Each language under its own name, and in the short form for the top bar. */
export const languageNames = {
  uk: { name: 'Українська', short: 'УК' },
  en: { name: 'English', short: 'EN' },
  pl: { name: 'Polski', short: 'PL' },
} as const satisfies Record<Language, { name: string; short: string }>;

const storageKey = 'fpay.language';
/** Sent to the server too, so that it can preload the texts with the page. */
const cookie = 'fpay_language';
const cookieSeconds = 365 * 24 * 60 * 60;

export function rememberedLanguage(): Language {
  const stored = localStorage.getItem(storageKey);
  return languages.find((language) => language === stored) ?? 'uk';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet.
  document.cookie = `${cookie}=${language}; path=/; max-age=${cookieSeconds}; samesite=lax`;
}
