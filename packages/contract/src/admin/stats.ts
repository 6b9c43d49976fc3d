import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Kopecks, WattHours } from '../money.ts';
import { Period, TimeZone } from '../period.ts';
import { Instant } from '../wire.ts';
import { Flag, StationText } from './filters.ts';

const seeStats = ['access-admin-page', 'see-stats'] as const;

/** A period by name, or `from` and `to` together. */
export const StatsQuery = z
  .object({
    period: z.optional(Period),
    station: z.optional(StationText),
    from: z.optional(Instant),
    to: z.optional(Instant),
    tz: z.optional(TimeZone),
    with_temp: z.optional(Flag),
  })
  .check(
    z.refine(({ period, from, to }) => period !== undefined || (from !== undefined && to !== undefined), {
      path: ['period'],
      error: 'Choose a period, or both dates.',
    }),
    z.refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
      path: ['to'],
      error: 'The end is before the start.',
    }),
  );
export type StatsQuery = z.infer<typeof StatsQuery>;

/** Null: there is nothing to divide by, and pages show '?%' or 'MISSING'. */
const Share = z.nullable(z.number());

export const OverallStats = z.object({
  /** The range that was counted. `to` is not included. */
  from: Instant,
  to: Instant,
  kwh: z.number(),
  uah: z.object({
    total: Kopecks,
    balance: Kopecks,
    balance_percentage: Share,
    over_limit: Kopecks,
    overcharge: Kopecks,
    ongoing: Kopecks,
    lost: Kopecks,
    /** Idle fees, a part of the total. */
    idle: Kopecks,
    /** What went back to drivers of what had come in: refunds, also those under way, reversals and chargebacks. */
    refunded: Kopecks,
    /** What promotions returned, less what staff took back. */
    rewards: Kopecks,
    /** The total without what was lost, refunded and returned by promotions. */
    net: z.int(),
    /** What staff gave to balances, less what they took. Null for one station, because a balance has none. */
    given: z.nullable(z.int()),
  }),
  count: z.object({
    total: z.int(),
    successful: z.int(),
    ongoing: z.int(),
    failed: z.int(),
    canceled: z.int(),
    failed_hold: z.int(),
    created: z.int(),
    other: z.int(),
    free: z.int(),
    promo: z.int(),
  }),
  firstOperation: z.nullable(Instant),
  lastOperation: z.nullable(Instant),
  avg: z.object({
    kwh: Share,
    /** Kopecks. */
    uah: Share,
    hold_amount: Share,
    /** Per cent of the limit. */
    progress: Share,
  }),
  feedback: z.object({ avg: Share, count: z.int() }),
});
export type OverallStats = z.infer<typeof OverallStats>;

export const adminStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  summary: 'The figures of a period, for one station or for all',
  access: seeStats,
  query: StatsQuery,
  reply: OverallStats,
  refusals: ['station_not_found'],
  openInMaintenance: true,
});

const Bucket = { energy: WattHours, total: Kopecks, count: z.int(), successful: z.int() };
/** A day also has what is missing from its total. */
const Day = { ...Bucket, lost: Kopecks, refunded: Kopecks, rewards: Kopecks, idle: Kopecks, net: z.int() };

export const StatsCharts = z.object({
  /** The same figures for the period of the same length right before this one. */
  before: OverallStats,
  /** One entry for each day of the range, in the caller's time zone, empty days included. */
  days: z.array(z.object({ day: z.iso.date(), ...Day })),
  /** 24 entries: hours of the day in the caller's time zone. */
  hours: z.array(z.object({ hour: z.int(), ...Bucket })),
  /** At most 10, by energy; empty when one station was asked for. */
  stations: z.array(z.object({ station: z.string(), ...Bucket })),
});
export type StatsCharts = z.infer<typeof StatsCharts>;

export const adminStatsCharts = endpoint({
  method: 'GET',
  path: '/api/admin/stats/charts',
  summary: 'Series for the charts of a period, and the period before it',
  access: seeStats,
  query: StatsQuery,
  reply: StatsCharts,
  refusals: ['station_not_found'],
  openInMaintenance: true,
});

/** A figure of today and of the same weekday a week ago up to the same minute. Null: the caller's role may not see it. */
const Figure = z.nullable(z.object({ now: z.number(), week_ago: z.nullable(z.number()) }));

export const Today = z.object({
  at: Instant,
  energy: Figure,
  money: Figure,
  /** The money without what was lost, refunded and returned by promotions. */
  net: Figure,
  /** Per cent of today's starts that delivered energy; null inside when there was none. */
  success: z.nullable(z.object({ now: z.nullable(z.number()), week_ago: z.nullable(z.number()) })),
  running: Figure,
  attention: z.nullable(
    z.object({
      anomalies: z.int(),
      counters: z.int(),
      terminator: z.int(),
      money: z.nullable(z.int()),
      approvals: z.nullable(z.int()),
      /** Cases whose driver has no answer. */
      cases: z.nullable(z.int()),
      offline_stations: z.int(),
    }),
  ),
});
export type Today = z.infer<typeof Today>;

export const today = endpoint({
  method: 'GET',
  path: '/api/admin/today',
  summary: 'Today at a glance; figures that the role may not see are null',
  access: ['access-admin-page'],
  query: z.object({ tz: z.optional(TimeZone) }),
  reply: Today,
  openInMaintenance: true,
});
