import { readInstant } from './instant.ts';
import { preview, type Schema } from './schema.ts';

/** Text of at most `max` characters. A longer text is cut, a number is converted to text. */
export function textSchema(max?: number): Schema<string> {
  return {
    json: { type: 'string', format: 'storable', ...(max === undefined ? {} : { maxLength: max }) },
    read(value, at, reading) {
      if (typeof value === 'object' || value === undefined) {
        return reading.fail('type', at, `is ${preview(value)}, not text`);
      }
      const clean = storable(String(value));
      if (typeof value !== 'string') reading.note(at, `a ${typeof value}, taken as text`);
      else if (clean !== value) reading.note(at, 'unprintable characters replaced');
      if (max === undefined || clean.length <= max) return clean;
      // Characters are counted as in the standard, so that no surrogate pair is split.
      const characters = Array.from(clean.slice(0, max * 2));
      if (characters.length <= max && clean.length <= max * 2) return clean;
      reading.note(at, `longer than ${max}, cut`);
      return characters.slice(0, max).join('');
    },
  };
}

/** The address of a file server. */
export function addressSchema(max: number): Schema<string> {
  const text = textSchema(max);
  return {
    json: { ...text.json, format: 'address' },
    read(value, at, reading) {
      const read = text.read(value, at, reading);
      return typeof read === 'string' && !isAddress(read) ? reading.fail('property', at, 'is not an address') : read;
    },
  };
}

export function isAddress(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value);
}

/** True for text that PostgreSQL can store: it accepts neither NUL nor half a surrogate pair. */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/**
 * The characters are replaced and not removed, because a tag with such a character must not become equal to another
 * tag.
 */
export function storable(value: string): string {
  return isStorableText(value) ? value : value.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Free text. Some vendors send JSON in it without quoting. */
export function looseText(): Schema<string> {
  const strict = textSchema();
  return {
    json: strict.json,
    read(value, at, reading) {
      if (typeof value === 'string') return strict.read(value, at, reading);
      try {
        reading.note(at, 'not text, kept as JSON');
        return storable(JSON.stringify(value));
      } catch {
        // The value is nested so deeply that it cannot be serialised.
        return reading.fail('type', at, 'is not text');
      }
    },
  };
}

const MAX_INT32 = 2 ** 31 - 1;

/** A whole number. A number in text is accepted and a fraction is rounded. */
export function integer({ min = -MAX_INT32, max = MAX_INT32 } = {}): Schema<number> {
  return {
    json: { type: 'integer', minimum: min, maximum: max },
    read(value, at, reading) {
      const number = toNumber(value);
      if (number === null) return reading.fail('type', at, `is ${preview(value)}, not a number`);
      const whole = Math.round(number);
      if (whole < min || whole > max) return reading.fail('property', at, `is ${preview(value)}, out of range`);
      if (typeof value !== 'number') reading.note(at, 'text, taken as a number');
      if (whole !== number) reading.note(at, `${number} rounded`);
      return whole;
    },
  };
}

/**
 * The number of a connector or a transaction. A fraction is refused, because rounding it would name another one than
 * the device meant.
 */
export function identifier({ min }: { min: number }): Schema<number> {
  const rounded = integer({ min });
  return {
    json: rounded.json,
    read(value, at, reading) {
      const number = toNumber(value);
      if (number !== null && !Number.isInteger(number)) {
        return reading.fail('type', at, `is ${preview(value)}, not a whole number`);
      }
      return rounded.read(value, at, reading);
    },
  };
}

/** Watts or amperes of a charging profile, with one decimal digit. */
export function decimal(): Schema<number> {
  return {
    json: { type: 'number', multipleOf: 0.1 },
    read(value, at, reading) {
      const number = toNumber(value);
      if (number === null) return reading.fail('type', at, `is ${preview(value)}, not a number`);
      if (typeof value !== 'number') reading.note(at, 'text, taken as a number');
      return number;
    },
  };
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > 40 || !/^\s*[-+]?\d+(?:[.,]\d+)?\s*$/.test(value)) return null;
  return Number(value.replace(',', '.'));
}

/** A meter reading, which the standard sends as text. Only its presence is checked here; `meter.ts` interprets it. */
export function meterReading(): Schema<string> {
  return {
    json: { type: 'string', minLength: 1, maxLength: 10_000, format: 'storable' },
    read(value, at, reading) {
      if (typeof value === 'number' && Number.isFinite(value)) {
        reading.note(at, 'a number, taken as text');
        return String(value);
      }
      if (typeof value !== 'string') return reading.fail('type', at, `is ${preview(value)}, not text`);
      const clean = storable(value).trim();
      if (clean === '') return reading.fail('property', at, 'is empty');
      return clean.slice(0, 10_000);
    },
  };
}

export function bool(): Schema<boolean> {
  return {
    json: { type: 'boolean' },
    read(value, at, reading) {
      if (typeof value === 'boolean') return value;
      const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (word !== 'true' && word !== 'false' && word !== 1 && word !== 0) {
        return reading.fail('type', at, `is ${preview(value)}, not a boolean`);
      }
      reading.note(at, 'not a boolean, taken as one');
      return word === 'true' || word === 1;
    },
  };
}

/** A time as ISO text. A missing one becomes the time of receipt. */
export function instant(): Schema<string> {
  return {
    json: { type: 'string', format: 'instant' },
    read(value, at, reading) {
      const read = readInstant(value);
      if (read === null) {
        if (typeof value === 'string') reading.note(at, `${preview(value)} is no time, the time of receipt taken`);
        else reading.note(at, 'not text, the time of receipt taken');
        return new Date(reading.receivedAt).toISOString();
      }
      if (read.doubt !== null) reading.note(at, `${preview(value)}: ${read.doubt}`);
      return read.text;
    },
    absent(at, reading) {
      reading.note(at, 'missing, the time of receipt taken');
      return new Date(reading.receivedAt).toISOString();
    },
  };
}

interface Spellings<Word extends string> {
  /** Other spellings seen in the field, in lower case. */
  aliases?: Readonly<Record<string, Word>>;
}

/** One value of a list. Upper and lower case are equal when reading. */
export function oneOf<const Word extends string>(words: readonly Word[], spellings?: Spellings<Word>): Schema<Word>;
/** `unknown` replaces a value that is not in the list. Without it, such a field cannot be read. */
export function oneOf<const Word extends string, const Else extends string>(
  words: readonly Word[],
  spellings: Spellings<Word> & { unknown: Else },
): Schema<Word, Word | Else>;
export function oneOf(
  words: readonly string[],
  { aliases = {}, unknown }: Spellings<string> & { unknown?: string } = {},
): Schema<string> {
  const known = new Set<string>(words);
  const spellings = new Map([...words.map((word) => [word.toLowerCase(), word] as const), ...Object.entries(aliases)]);
  return {
    json: { type: 'string', enum: words },
    read(value, at, reading) {
      if (typeof value !== 'string') return reading.fail('type', at, `is ${preview(value)}, not a word`);
      if (known.has(value)) return value;
      const word = spellings.get(value.trim().toLowerCase());
      const taken = word ?? unknown;
      if (taken === undefined) return reading.fail('property', at, `is ${preview(value)}, an unknown word`);
      reading.note(at, `${preview(value)} taken as ${taken}`);
      return taken;
    },
  };
}
