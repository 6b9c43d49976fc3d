const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  // Swedish writes dates and times the ISO way.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return format;
}

/** `YYYY-MM-DD` as the calendar of this time zone shows it. */
export function dateIn(zone: string, instant: Date): string {
  return formatOf(zone).format(instant).slice(0, 10);
}

/** How far the clocks of this zone are ahead of UTC at this instant. */
function offsetMs(zone: string, instant: Date): number {
  const wholeSecond = Math.floor(instant.getTime() / 1000) * 1000;
  return Date.parse(`${formatOf(zone).format(instant).replace(' ', 'T')}Z`) - wholeSecond;
}

/**
 * The first instant of a day in a time zone. Where clocks change at midnight, 00:00 may be there twice or not at all: the
 * offsets before and after are tried, and the earliest instant that belongs to the day is its beginning.
 */
export function dayStartIn(zone: string, day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsets = [midnight - dayMs, midnight + dayMs].map((at) => offsetMs(zone, new Date(at)));
  const starts = offsets
    .map((offset) => new Date(midnight - offset))
    .filter((start) => dateIn(zone, start) === day)
    .toSorted((one, other) => one.getTime() - other.getTime());
  return starts[0] ?? new Date(midnight - Math.min(...offsets));
}

/** Days and months of a calendar, free of clock changes. */
export function shiftedDate(day: string, by: { days?: number; months?: number; years?: number }): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const shifted = Date.UTC(year + (by.years ?? 0), month - 1 + (by.months ?? 0), date + (by.days ?? 0));
  return new Date(shifted).toISOString().slice(0, 10);
}
