/**
 * Ukrainian comes first: it is the source of every text and the language of a driver who chose none. The list is apart
 * from its schema, so that a page can use it without loading the library of schemas.
 */
export const languages = ['uk', 'en', 'pl'] as const;

/** The language of a first visit: the browser's own one if it is ours, else Ukrainian. */
export function languageOfBrowser(tag: string): (typeof languages)[number] {
  const [code] = tag.toLowerCase().split(/[-_,;]/, 1);
  return languages.find((language) => language === code) ?? 'uk';
}
