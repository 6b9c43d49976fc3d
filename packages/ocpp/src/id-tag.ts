import type { Schema } from './schema.ts';
import { text } from './values.ts';

const MAX_ID_TAG = 20;

/**
 * One spelling for one card: readers print the same UID as `2069c021`, `20:69:C0:21` or `20 69 c0 21`. Upper case, no
 * spaces; separators only go when what stands between them is hexadecimal, since `OP-7` is a tag of its own.
 */
export function normaliseIdTag(raw: string): string {
  const tag = raw.replace(/\s+/g, '').toUpperCase();
  const bare = tag.replace(/[:-]/g, '');
  return /^(?:[0-9A-F]{2}[:-])+[0-9A-F]{2}$/.test(tag) ? bare : tag;
}

/** An idTag as it came. A 10-byte UID with colons has 29 characters: it loses those before it loses a byte. */
export function idTag(): Schema<string> {
  const strict = text(MAX_ID_TAG);
  return {
    json: strict.json,
    read(value, at, reading) {
      const isLong = typeof value === 'string' && value.length > MAX_ID_TAG;
      return strict.read(isLong ? normaliseIdTag(value.slice(0, 100)) : value, at, reading);
    },
  };
}
