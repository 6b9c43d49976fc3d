/**
 * Ukrainian comes first: it is the source of every text and the language of a driver who chose none. The list is apart
 * from its schema, so that a page can use it without loading the library of schemas.
 */
export const languages = ['uk', 'en', 'pl'] as const;
