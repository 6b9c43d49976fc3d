import * as z from 'zod/mini';
import { Instant } from './wire.ts';

/** Periods by name. Weeks begin on Monday; the last three end now. */
export const periods = [
  'today',
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
  'year',
  'lastYear',
  '24h',
  '7d',
  '14d',
] as const;
export const Period = z.enum(periods);
export type Period = z.infer<typeof Period>;

/** An IANA name. The server checks it with the zones that it knows. */
export const TimeZone = z.string().check(
  z.maxLength(64),
  z.refine((name) => /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name) && isTimeZone(name), 'The time zone is unknown.'),
);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const longestRangeMs = 732 * 86_400_000;

/** Fields of a query that names a period, or a range by its two instants; `tz` decides where days begin. */
export const periodFields = {
  manual_range: z.optional(z.enum(['true', 'false'])),
  start_date: z.optional(Instant),
  end_date: z.optional(Instant),
  period: z.optional(Period),
  tz: TimeZone,
};

interface PeriodQuery {
  manual_range?: 'true' | 'false' | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  period?: Period | undefined;
}

/** A manual range has both ends in their order and is at most two years long; otherwise a period is named. */
export const namesPeriod = z.refine<PeriodQuery>(
  ({ manual_range, start_date, end_date, period }) => {
    if (manual_range !== 'true') return period !== undefined;
    const lengthMs = Date.parse(end_date ?? '') - Date.parse(start_date ?? '');
    return lengthMs > 0 && lengthMs <= longestRangeMs;
  },
  { path: ['period'], error: 'Choose a period, or a range of at most two years.' },
);
