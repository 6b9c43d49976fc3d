import { useSyncExternalStore } from 'react';
import { currentLanguage, onLanguageChange, text } from './i18n.ts';
import type { Language } from './languages.ts';

/** The way to words in a component: `const text = useText()`, then `text('generic:youSure')`. */
export function useText(): typeof text {
  // Draws the component anew when another language is chosen.
  useLanguage();
  return text;
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage);
}
