import { languageRecords } from './languages.ts';
import type { Language } from './person.ts';

/** Languages in which every text exists. */
type CompleteLanguage = {
  [One in Language]: (typeof languageRecords)[One]['standIn'] extends null ? One : never;
}[Language];

/** A text, or a table of texts, by language. One that is only begun may be missing. */
export type Translated<Value> = Record<CompleteLanguage, Value> & Partial<Record<Language, Value>>;

/**
 * The text in this language or in the one that stands in for it. While a release is being rolled out, a server of the
 * former version meets a language that it does not know; its reader gets Ukrainian.
 */
export function inLanguage<Value>(texts: Translated<Value>, language: Language): Value {
  return texts[language] ?? texts[languageRecords[language]?.standIn ?? 'uk'];
}
