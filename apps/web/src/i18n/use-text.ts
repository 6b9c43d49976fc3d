import { useTranslation } from 'react-i18next';
import { currentLanguage, text } from './i18n.ts';
import type { Language } from './languages.ts';

/** The way to words in a component: `const text = useText()`, then `text('generic:youSure')`. */
export function useText(): typeof text {
  // Subscribes the component to a change of language.
  useTranslation();
  return text;
}

export function useLanguage(): Language {
  useTranslation();
  return currentLanguage();
}
