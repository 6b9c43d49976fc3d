import type { Language } from '@fpay/contract/person';
import type { TextKey } from '../../../i18n/text-key.ts';

/** The label of the field that has the text of each language. */
export const languageNames = {
  uk: 'adminPhrases:inUk',
  en: 'adminPhrases:inEn',
  pl: 'adminPhrases:inPl',
} as const satisfies Record<Language, TextKey>;
