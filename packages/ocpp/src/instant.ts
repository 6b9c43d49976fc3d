/** No charge point of ours is older: an earlier date is a clock that was never set (1970 and 2000 are the usual ones). */
const CLOCKS_START = Date.UTC(2015, 0, 1);
const CLOCKS_END = Date.UTC(2100, 0, 1);

const strict = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const loose = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?))?\s*([Zz]|[+-]\d\d:?\d\d)?$/;

/** A time as the standard writes it, from a clock that was set. */
export function isInstant(text: string): boolean {
  if (!strict.test(text)) return false;
  const at = Date.parse(text);
  // False for NaN too.
  return at >= CLOCKS_START && at < CLOCKS_END;
}

/** Whether a clock that shows this time was ever set. Hours of error are told by comparing with the time of receipt. */
export function isClockSet(at: number): boolean {
  return at >= CLOCKS_START && at < CLOCKS_END;
}

export interface ReadInstant {
  text: string;
  /** What had to be guessed; null when nothing. */
  doubt: string | null;
}

/** Reads the forms seen in the field. Null when there is no time in it. */
export function readInstant(value: unknown): ReadInstant | null {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value !== 'string') return null;
  // As it was written: the same message sent again must read the same.
  if (isInstant(value)) return { text: value, doubt: null };
  const text = value.trim();
  if (/^\d{9,13}$/.test(text)) return fromUnix(Number(text));
  const parts = loose.exec(text);
  if (parts === null) return null;
  const [, date, time = '00:00:00', zone] = parts;
  const clock = (time.length === 5 ? `${time}:00` : time).replace(',', '.');
  const offset = zone === undefined ? 'Z' : zone.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  const at = Date.parse(`${date}T${clock}${offset}`);
  if (Number.isNaN(at)) return null;
  if (!isClockSet(at)) return { text: new Date(at).toISOString(), doubt: 'the clock was not set' };
  if (zone === undefined) return { text: new Date(at).toISOString(), doubt: 'no zone, taken as UTC' };
  return { text: new Date(at).toISOString(), doubt: 'not as the standard writes it' };
}

/** Seconds or milliseconds since 1970: nine to ten digits against thirteen. */
function fromUnix(value: number): ReadInstant | null {
  const at = value < 100_000_000_000 ? value * 1000 : value;
  if (!isClockSet(at)) return null;
  return { text: new Date(at).toISOString(), doubt: 'a number, taken as Unix time' };
}
