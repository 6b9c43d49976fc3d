import { feedbackAllowed, giveFeedback } from '@fpay/contract/feedback';
import type { Routes } from '../platform/http/routes.ts';
import type { FeedbackService } from './service.ts';

export function feedbackRoutes(routes: Routes, feedback: FeedbackService): void {
  routes.on(giveFeedback, async ({ viewer, body }) => {
    const comment = body.comment?.trim() || null;
    await feedback.give(viewer, { operation: body.charging_operation_id, rating: body.rating, comment });
    return undefined;
  });
  routes.on(feedbackAllowed, async ({ viewer, body }) => ({
    allow: await feedback.answer(viewer, body.charging_operation_id),
  }));
}
