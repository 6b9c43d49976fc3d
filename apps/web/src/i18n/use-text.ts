import type { Language } from '@fpay/contract/person';
import { useSyncExternalStore } from 'react';
import { currentLanguage, onLanguageChange, text } from './i18n.ts';

/** Gives a component its texts: `const text = useText()`, then `text('generic:youSure')`. */
export function useText(): typeof text {
  // Renders the component again when another language is chosen.
  useLanguage();
  return text;
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage);
}
