import { kyivLocal } from './kyiv-time.ts';

const dayMs = 86_400_000;
/** Times are chosen in steps of five minutes. */
export const stepMinutes = 5;

const pad = (value: number | string, length = 2) => String(value).padStart(length, '0');

/** `15.11.2026 14:35`, or without a time for midnight; `2026-11-15T14:35`, as an address has it, is understood too. */
const spoken = /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?:[,\s]+(\d{1,2}):(\d{2}))?$/;
const written = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/;

/** The typed time as `2026-11-15T14:35`, moved back to the last step; null when it is none. */
export function readMoment(typed: string): string | null {
  const text = typed.trim();
  const [, day, month, year, hour = '0', minute = '0'] = spoken.exec(text) ?? reordered(text);
  if (!day || !month || !year) return null;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  const local = new Date(at - (at % (stepMinutes * 60_000))).toISOString().slice(0, 16);
  // A day or an hour that does not exist would have moved to the next one.
  const isReal = local.startsWith(`${year}-${pad(month)}-${pad(day)}T${pad(hour)}`) && Number(minute) < 60;
  return isReal ? local : null;
}

function reordered(text: string): (string | undefined)[] {
  const [whole, year, month, day, hour, minute] = written.exec(text) ?? [];
  return [whole, day, month, year, hour, minute];
}

/** `15.11.2026 14:35`, the same in every language and on every device. A text that is no time stays as it is. */
export function writeMoment(local: string): string {
  const [, year, month, day, hour, minute] = written.exec(local) ?? [];
  return year ? `${day}.${month}.${year} ${hour ?? '00'}:${minute ?? '00'}` : local;
}

/** The typed day as `2026-11-15`; null when it is none. */
export function readDay(typed: string): string | null {
  return readMoment(typed)?.slice(0, 'yyyy-mm-dd'.length) ?? null;
}

/** `15.11.2026`. A text that is no day stays as it is. */
export function writeDay(day: string): string {
  const [, year, month, date] = written.exec(day) ?? [];
  return year ? `${date}.${month}.${year}` : day;
}

/** Six weeks from Monday on that contain the month `2026-11`, as dates. */
export function weeksOf(month: string): string[][] {
  const first = Date.parse(`${month}-01`);
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * dayMs;
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, day) =>
      new Date(start + (week * 7 + day) * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
    ),
  );
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

const daysOfKey: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const monthsOfKey: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/**
 * The day to which a key moves, as in other calendars: a day, a week, the ends of the week, a month, and with Shift a year. Null
 * for other keys.
 */
export function dayByKey(day: string, { key, shiftKey }: { key: string; shiftKey: boolean }): string | null {
  const days = daysOfKey[key];
  if (days !== undefined) return addDays(day, days);
  const fromMonday = (new Date(day).getUTCDay() + 6) % 7;
  if (key === 'Home') return addDays(day, -fromMonday);
  if (key === 'End') return addDays(day, 6 - fromMonday);
  const months = monthsOfKey[key];
  return months === undefined ? null : sameDayOf(addMonths(day.slice(0, 7), shiftKey ? 12 * months : months), day);
}

/** The day with the same number in another month, or its last day. */
function sameDayOf(month: string, day: string): string {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = month + day.slice(7);
  return same < last ? same : last;
}

export function addMonths(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 'yyyy-mm'.length);
}

/** The present Kyiv time, on a step. */
export function momentNow(): string {
  return readMoment(kyivLocal(new Date())) ?? '';
}
