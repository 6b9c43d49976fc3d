import * as z from 'zod/mini';
import { PaymentType } from '../charging.ts';
import { endpoint } from '../endpoint.ts';
import { Rating } from '../feedback.ts';
import { Instant } from '../wire.ts';
import { Flag, HoldFilter, StationText, StatusFilter, UserText } from './filters.ts';
import { StatsQuery } from './stats.ts';

/** UTF-8 with a byte-order mark, `;` between cells and a decimal comma, as a Ukrainian spreadsheet reads it. */
const produces = 'text/csv';

export const exportOperations = endpoint({
  method: 'GET',
  path: '/api/admin/export/operations',
  summary: 'All operations that match the filters, as CSV',
  access: ['access-admin-page', 'monitor-operations'],
  query: z.object({
    station: z.optional(StationText),
    user: z.optional(UserText),
    status: z.optional(StatusFilter),
    hold: z.optional(HoldFilter),
    payment_type: z.optional(PaymentType),
    from: z.optional(Instant),
    to: z.optional(Instant),
  }),
  produces,
  openInMaintenance: true,
});

export const exportUsers = endpoint({
  method: 'GET',
  path: '/api/admin/export/users',
  summary: 'All users, as CSV',
  access: ['access-admin-page', 'monitor-users', 'manage-users'],
  query: z.object({ with_temp: z.optional(Flag) }),
  produces,
  openInMaintenance: true,
});

const RatingText = z.pipe(
  z.string().check(z.regex(/^[1-5]$/)),
  z.pipe(
    z.transform((text: string) => Number(text)),
    Rating,
  ),
);

export const exportFeedback = endpoint({
  method: 'GET',
  path: '/api/admin/export/feedback',
  summary: 'All feedback that matches the filters, as CSV',
  access: ['access-admin-page'],
  query: z.object({
    from: z.optional(RatingText),
    to: z.optional(RatingText),
    with_comments_only: z.optional(Flag),
    station_number: z.optional(StationText),
    user: z.optional(UserText),
  }),
  produces,
  openInMaintenance: true,
});

export const exportStats = endpoint({
  method: 'GET',
  path: '/api/admin/export/stats',
  summary: 'The figures of each day of a period, as CSV',
  access: ['access-admin-page', 'see-stats'],
  query: StatsQuery,
  produces,
  refusals: ['station_not_found'],
  openInMaintenance: true,
});
