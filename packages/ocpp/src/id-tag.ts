import type { Schema } from './schema.ts';
import { textSchema } from './values.ts';

const MAX_ID_TAG = 20;

/**
 * Normalises the id of a card: readers print the same UID as `2069c021`, `20:69:C0:21` or `20 69 c0 21`. The result is
 * in upper case without spaces. Separators are removed only between hexadecimal digits, because `OP-7` is a different
 * tag.
 */
export function normaliseIdTag(raw: string): string {
  const tag = raw.replace(/\s+/g, '').toUpperCase();
  const bare = tag.replace(/[:-]/g, '');
  return /^(?:[0-9A-F]{2}[:-])+[0-9A-F]{2}$/.test(tag) ? bare : tag;
}

/**
 * An idTag as received. A 10-byte UID with colons has 29 characters, so the colons are removed before any byte is cut.
 */
export function idTag(): Schema<string> {
  const strict = textSchema(MAX_ID_TAG);
  return {
    json: strict.json,
    read(value, at, reading) {
      const isLong = typeof value === 'string' && value.length > MAX_ID_TAG;
      return strict.read(isLong ? normaliseIdTag(value.slice(0, 100)) : value, at, reading);
    },
  };
}
