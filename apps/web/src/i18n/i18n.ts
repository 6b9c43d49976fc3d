import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, languages, rememberedLanguage, rememberLanguage } from './languages.ts';
import type { TextKey } from './text-key.ts';

type Texts = Record<string, Record<string, string>>;

/** Each language is a chunk of its own; only the one that is read is fetched. */
const loaders = {
  uk: () => import('./texts/uk/index.ts'),
  en: () => import('./texts/en/index.ts'),
  pl: () => import('./texts/pl/index.ts'),
} as const satisfies Record<Language, () => Promise<{ texts: Texts }>>;

/** Begins in the language the driver chose last. */
export async function startI18n(): Promise<void> {
  const language = rememberedLanguage();
  const { texts } = await loaders[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: texts },
    fallbackLng: false,
    keySeparator: false,
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  tellLanguageToPage();
}

/** Changes every text on the page at once; when the texts cannot be fetched, nothing changes. */
export async function chooseLanguage(language: Language): Promise<void> {
  const { texts } = await loaders[language]();
  for (const [namespace, words] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, words);
  await i18next.changeLanguage(language);
  rememberLanguage(language);
  tellLanguageToPage();
}

export function currentLanguage(): Language {
  return languages.find((language) => language === i18next.language) ?? 'uk';
}

/** For the few places outside React; a component uses `useText`, which draws it anew in another language. */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  return i18next.t(key, values);
}

function tellLanguageToPage(): void {
  document.documentElement.lang = currentLanguage();
}
