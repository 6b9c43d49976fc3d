/** Ukrainian first: it is the source of every text and the language of a driver who chose none. */
export const languages = ['uk', 'en', 'pl'] as const;
export type Language = (typeof languages)[number];

/** Each language under its own name, and as short as the top bar needs it. */
export const languageNames = {
  uk: { name: 'Українська', short: 'УК' },
  en: { name: 'English', short: 'EN' },
  pl: { name: 'Polski', short: 'PL' },
} as const satisfies Record<Language, { name: string; short: string }>;

const storageKey = 'fpay.language';
/** Told to the server too, so that it can send the words along with the page. */
const cookie = 'fpay_language';
const cookieSeconds = 365 * 24 * 60 * 60;

export function rememberedLanguage(): Language {
  const kept = localStorage.getItem(storageKey);
  return languages.find((language) => language === kept) ?? 'uk';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet.
  document.cookie = `${cookie}=${language}; path=/; max-age=${cookieSeconds}; samesite=lax`;
}
