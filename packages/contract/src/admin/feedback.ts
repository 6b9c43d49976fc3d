import * as z from 'zod/mini';
import { OperationStatus, PaymentType } from '../charging.ts';
import { ConnectorType } from '../connectors.ts';
import { endpoint } from '../endpoint.ts';
import { Rating } from '../feedback.ts';
import { Kopecks } from '../money.ts';
import { Period, TimeZone } from '../period.ts';
import { noMoney } from '../staff-money.ts';
import { Id, Instant } from '../wire.ts';
import { Flag, StationText, UserText } from './filters.ts';
import { SortText } from './sorts.ts';

export const AdminFeedback = z.object({
  id: Id,
  payment_type: PaymentType,
  connector_type: ConnectorType,
  connector_id: Id,
  charging_station: z.string(),
  user_phone_number: z.string(),
  user_name: z.string(),
  user_id: Id,
  total: Kopecks,
  source: z.enum(['app', 'rfid']),
  status: OperationStatus,
  finished_at: z.nullable(Instant),
  created_at: Instant,
  charging_operation_id: Id,
  comment: z.nullable(z.string()),
  rating: Rating,
});
export type AdminFeedback = z.infer<typeof AdminFeedback>;

export const feedbackPageSize = 50;
/** More are not counted: the pages and the total of a long list stop here. */
export const mostFeedbackCounted = 10_000;

export const FeedbackFilters = z
  .object({
    from: z._default(Rating, 1),
    to: z._default(Rating, 5),
    with_comments_only: z._default(z.boolean(), false),
    station_number: z.optional(z.nullable(StationText)),
    user: z.optional(z.nullable(UserText)),
  })
  .check(z.refine(({ from, to }) => from <= to, { path: ['from'], error: 'From must not be above to.' }));
export type FeedbackFilters = z.infer<typeof FeedbackFilters>;

export const adminFeedback = endpoint({
  method: 'POST',
  path: '/api/admin/feedback',
  summary: 'Feedback of drivers, newest first or by rating, page by page',
  onlyReads: true,
  access: ['access-admin-page'],
  money: noMoney.reads,
  body: z.extend(FeedbackFilters, {
    page: z._default(z.int().check(z.gte(1), z.lte(10_000)), 1),
    /** `rating`: the worst first; `id` or `rating`, over the whole list. */
    sort: SortText,
  }),
  reply: z.object({ data: z.array(AdminFeedback), page_count: z.int(), total_count: z.int() }),
  refusals: ['unknown_sort'],
  openInMaintenance: true,
});

export const StationRating = z.object({
  /** Null: no feedback. */
  average_rating: z.nullable(z.number()),
  total_count: z.int(),
  one_star: z.int(),
  two_stars: z.int(),
  three_stars: z.int(),
  four_stars: z.int(),
  five_stars: z.int(),
});
export type StationRating = z.infer<typeof StationRating>;

/** 4 and more is good, 3 to below 4 neutral, below 3 bad. */
export function ratingMood(rating: number): 'good' | 'neutral' | 'bad' {
  if (rating >= 4) return 'good';
  return rating >= 3 ? 'neutral' : 'bad';
}

export const stationRating = endpoint({
  method: 'GET',
  path: '/api/admin/rating/:station',
  summary: 'How drivers rated one station in a period',
  access: ['access-admin-page', 'see-stats'],
  params: z.object({ station: StationText }),
  query: z
    .object({
      time_range: z.optional(Period),
      /** True: `from` and `to` count instead of `time_range`. */
      manual_range: z.optional(Flag),
      from: z.optional(Instant),
      to: z.optional(Instant),
      tz: z.optional(TimeZone),
    })
    .check(
      z.refine(
        ({ time_range, manual_range, from, to }) =>
          manual_range ? from !== undefined && to !== undefined : time_range !== undefined,
        { path: ['time_range'], error: 'Choose a period, or both dates.' },
      ),
    ),
  reply: StationRating,
  refusals: ['station_not_found'],
  openInMaintenance: true,
});
