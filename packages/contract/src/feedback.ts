import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id } from './wire.ts';

export const Rating = z.int().check(z.gte(1), z.lte(5));
const longestComment = 1000;

export const giveFeedback = endpoint({
  method: 'POST',
  path: '/api/feedback',
  beforeConfirmation: true,
  summary: 'Rate a finished operation, or report an issue of one that did not work (rating 1)',
  access: ['use-app'],
  body: z.object({
    rating: Rating,
    comment: z.optional(z.nullable(z.string().check(z.maxLength(longestComment)))),
    charging_operation_id: Id,
  }),
  refusals: ['not_found', 'feedback_denied'],
  openInMaintenance: true,
});

/** A page goes by the beginning of the word, so a later server may answer with more of them. */
export const feedbackAnswers = ['ALLOW', 'DENY_NOT_OWNER', 'DENY_NOT_ENDED', 'DENY_RATED'] as const;
export type FeedbackAnswer = (typeof feedbackAnswers)[number];

export const feedbackAllowed = endpoint({
  method: 'POST',
  path: '/api/feedback/allow',
  beforeConfirmation: true,
  summary: 'Whether the caller may rate this operation now',
  access: ['use-app'],
  body: z.object({ charging_operation_id: Id }),
  reply: z.object({ allow: z.string().check(z.regex(/^[A-Z_]+$/)) }),
  openInMaintenance: true,
});
