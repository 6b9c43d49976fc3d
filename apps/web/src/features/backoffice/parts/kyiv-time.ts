const zone = 'Europe/Kyiv';
const minuteMs = 60_000;

/** `2026-11-15T14:35`, the Kyiv time of an instant as a date-time field has it. */
export function kyivLocal(instant: Date): string {
  // Swedish writes dates as ISO 8601 does.
  return instant.toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16).replace(' ', 'T');
}

/** The instant of a typed Kyiv time; null when the text is no date. A time that the clock change skips moves forward. */
export function instantOfKyiv(local: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null;
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The offset is taken twice, because the first guess may be on the other side of a clock change.
  const guess = asUtc - offsetMs(asUtc);
  return new Date(asUtc - offsetMs(guess)).toISOString();
}

/** True for a text that is no time. An empty field is none: what it means is up to the form. */
export const isUnreadable = (local: string): boolean => local !== '' && instantOfKyiv(local) === null;

function offsetMs(unixMs: number): number {
  const whole = Math.floor(unixMs / minuteMs) * minuteMs;
  return Date.parse(`${kyivLocal(new Date(whole))}Z`) - whole;
}
