/** The error of a field whose text cannot be stored. */
export const unstorableText = 'The text has characters that are not allowed.';

/** NUL, which PostgreSQL cannot store, and halves of surrogate pairs, which UTF-8 cannot express. */
const unstorable = /[\0\p{Cs}]/u;

export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

/** For text from a bank or a charger, which must not be refused: each such character becomes U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}

/**
 * No input of the contract is nested deeper than a list of objects in a body, and a recursive reader can handle this
 * depth.
 */
const mostNesting = 32;

/**
 * True when objects and lists are nested deeper than `mostNesting`. It works level by level, because recursion is what
 * it prevents.
 */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= mostNesting) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

/** Paths of the texts, keys included, that cannot be stored. The value must not be too deep. */
export function unstorablePaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'string') return isStorable(value) ? [] : [[...path]];
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    isStorable(key) ? unstorablePaths(member, [...path, key]) : [[...path]],
  );
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
