/** How TurboSMS counts, limits and charges messages; kopecks per segment. */
export const pricePerSegment = 85;
export const startingBalance = 10_000_00;
const mostSegments = 10;

/**
 * Latin text is sent in GSM 7-bit, other text in UCS-2; each has a limit for a single message and for a part of a
 * longer one.
 */
const room = { latin: { single: 160, part: 153 }, other: { single: 70, part: 67 } };

export function segmentsOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: line breaks belong to the 7-bit alphabet
  const { single, part } = /^[\x0a\x0d\x20-\x7e]*$/.test(text) ? room.latin : room.other;
  return text.length <= single ? 1 : Math.ceil(text.length / part);
}

export function isTooLong(text: string): boolean {
  return segmentsOf(text) > mostSegments;
}

/** International digits; a leading plus, spaces and dashes are accepted. */
export function phoneOf(recipient: string): string | null {
  const digits = recipient.replace(/[\s()+-]/g, '');
  return /^[1-9]\d{9,14}$/.test(digits) ? digits : null;
}

/** "2026-11-15 10:00" in Kyiv time, which the operator uses. Null when it is not a time. */
export function startTimeOf(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})(?::\d{2})?$/.exec(text);
  const asUtc = match ? Date.parse(`${match[1]}T${match[2]}:00Z`) : Number.NaN;
  return Number.isNaN(asUtc) ? null : asUtc - kyivOffsetMs(asUtc);
}

function kyivOffsetMs(at: number): number {
  const there = new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Kyiv' });
  return Date.parse(`${there.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
