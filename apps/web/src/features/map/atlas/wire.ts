import type { MapChunk } from '@fpay/contract/stations';

/** A chunk in the answer: its position on the map, and its text. */
export interface WireChunk {
  lat: number;
  lon: number;
  bytes: Uint8Array;
  from: number;
  to: number;
}

const [quote, backslash, comma, minus, dot, zero] = [0x22, 0x5c, 0x2c, 0x2d, 0x2e, 0x30];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const bytesOf = (text: string) => new TextEncoder().encode(text);
/**
 * The format in which our server writes each chunk. A chunk in another format is parsed completely, which is slower.
 */
const head = bytesOf('{"lat":');
const between = bytesOf(',"lon":');
const list = bytesOf(',"stations":[');
/** What follows a chunk's stations. Inside an address its quotes would be escaped. */
const nextChunk = bytesOf('},{"lat":');

/**
 * Splits the answer into chunks without parsing them: a screen shows few of 50,000, and the 10 MB of objects that
 * JSON.parse would create cost more than everything else. Throws when the answer is not a complete list.
 */
export function chunksOnWire(bytes: Uint8Array): WireChunk[] {
  const chunks: WireChunk[] = [];
  let at = afterSpace(bytes, 0);
  if (bytes[at] !== openList) throw new TypeError('The map is not a list of chunks');
  at = afterSpace(bytes, at + 1);
  let hasNext = true;
  while (bytes[at] !== closeList) {
    const place = placeAt(bytes, at);
    const leap: number | null = place && hasNext ? beforeNext(bytes, place.to) : null;
    // Not found: it is the last chunk, or the answer has another format.
    if (place && leap === null) hasNext = false;
    const to = leap ?? endOfValue(bytes, at);
    const stands = place ?? readChunk({ bytes, from: at, to });
    if (stands) chunks.push({ lat: stands.lat, lon: stands.lon, bytes, from: at, to });
    at = afterSpace(bytes, to);
    if (bytes[at] === comma) at = afterSpace(bytes, at + 1);
    else if (bytes[at] !== closeList) throw new TypeError('The map answer is incomplete');
  }
  return chunks;
}

const decoder = new TextDecoder();

/**
 * A schema check of 50,000 stations would take longer than everything else, so only what would break the map is
 * checked.
 */
export function readChunk({ bytes, from, to }: Pick<WireChunk, 'bytes' | 'from' | 'to'>): MapChunk | null {
  const value: Partial<MapChunk> | null = JSON.parse(decoder.decode(bytes.subarray(from, to)));
  const isChunk = typeof value?.lat === 'number' && typeof value.lon === 'number' && Array.isArray(value.stations);
  return isChunk ? (value as MapChunk) : null;
}

/** The position of a chunk in our format, and where its stations begin; null in another format. */
function placeAt(bytes: Uint8Array, from: number): { lat: number; lon: number; to: number } | null {
  const lat = startsWith(bytes, from, head) ? numberAt(bytes, from + head.length) : null;
  const lon = lat && startsWith(bytes, lat.to, between) ? numberAt(bytes, lat.to + between.length) : null;
  if (!lat || !lon || !startsWith(bytes, lon.to, list)) return null;
  return { lat: lat.value, lon: lon.value, to: lon.to + list.length };
}

/** Finds the end of a chunk by the beginning of the next, because the browser's own search is faster than a loop. */
function beforeNext(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(closeList, from); at >= 0; at = bytes.indexOf(closeList, at + 1))
    if (startsWith(bytes, at + 1, nextChunk)) return at + 2;
  return null;
}

function startsWith(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
  return true;
}

/** Up to this length both numbers below, and their quotient, are exact. */
const mostDigits = 15;

/** A plain decimal; null for another notation. */
function numberAt(bytes: Uint8Array, from: number): { value: number; to: number } | null {
  const isNegative = bytes[from] === minus;
  const first = isNegative ? from + 1 : from;
  let at = first;
  let digits = 0;
  let divisor = 0;
  for (; ; at++) {
    const byte = bytes[at] ?? 0;
    const digit = byte - zero;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      divisor *= 10;
    } else if (byte === dot && divisor === 0) divisor = 1;
    else break;
  }
  if (at === first || at - first > mostDigits || bytes[at] !== comma) return null;
  const value = divisor === 0 ? digits : digits / divisor;
  return { value: isNegative ? -value : value, to: at };
}

/**
 * The end of the object, list, string or literal that begins here. A plain loop, because it runs over 10 million bytes.
 */
function endOfValue(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at += 1;
      for (let inside = bytes[at]; inside !== quote && at < bytes.length; inside = bytes[at]) {
        at += inside === backslash ? 2 : 1;
      }
    } else if (byte >= openList) {
      if (byte === openObject || byte === openList) depth += 1;
      else if (byte === closeObject || byte === closeList) {
        // At depth 0 it is the end of the surrounding list.
        if (depth <= 1) return at + depth;
        depth -= 1;
      }
    } else if (byte === comma && depth === 0) return at;
  }
  throw new TypeError('The map answer is incomplete');
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at])
    at += 1;
  return at;
}
