import { languageOfTag, languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';

export { type Language, languages };

const storageKey = 'fpay.language';
/** Sent to the server too, so that it can preload the texts with the page. */
const cookie = 'fpay_language';
const cookieSeconds = 365 * 24 * 60 * 60;

/** The language that the driver chose last on this device; null before the first choice. */
export function chosenLanguage(): Language | null {
  const stored = localStorage.getItem(storageKey);
  return languages.find((language) => language === stored) ?? null;
}

/** The first visit follows the browser. */
export function rememberedLanguage(): Language {
  return chosenLanguage() ?? languageOfTag(navigator.language ?? '');
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet.
  document.cookie = `${cookie}=${language}; path=/; max-age=${cookieSeconds}; samesite=lax`;
}

/** The tabs of one device show one language. */
export function onLanguageOfOtherTab(follow: (language: Language) => void): void {
  addEventListener('storage', ({ key }) => {
    const chosen = key === storageKey && chosenLanguage();
    if (chosen) follow(chosen);
  });
}
