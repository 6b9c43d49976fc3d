/**
 * None of our charge points is older, so an earlier date comes from a clock that was never set (usually 1970 or 2000).
 */
const CLOCKS_START = Date.UTC(2015, 0, 1);
const CLOCKS_END = Date.UTC(2100, 0, 1);

const strict = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const loose = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?))?\s*([Zz]|[+-]\d\d:?\d\d)?$/;

/** True for a time in the standard's notation from a clock that was set. */
export function isInstant(text: string): boolean {
  if (!strict.test(text)) return false;
  const at = Date.parse(text);
  // NaN gives false too.
  return at >= CLOCKS_START && at < CLOCKS_END;
}

/** True when a clock that shows this time was set. Errors of hours are found by comparison with the time of receipt. */
export function isClockSet(at: number): boolean {
  return at >= CLOCKS_START && at < CLOCKS_END;
}

export interface ReadInstant {
  text: string;
  /** What had to be guessed; null when nothing was guessed. */
  doubt: string | null;
}

/** Reads the notations that are seen in the field. Null when the value contains no time. */
export function readInstant(value: unknown): ReadInstant | null {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value !== 'string') return null;
  // The text is kept unchanged, so that a repeated message gives the same value.
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

/** Unix time: nine to ten digits are seconds, thirteen are milliseconds. */
function fromUnix(value: number): ReadInstant | null {
  const at = value < 100_000_000_000 ? value * 1000 : value;
  if (!isClockSet(at)) return null;
  return { text: new Date(at).toISOString(), doubt: 'a number, taken as Unix time' };
}
