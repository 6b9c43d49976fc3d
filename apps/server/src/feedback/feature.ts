import type { Routes } from '../platform/http/routes.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { feedbackRoutes } from './routes.ts';
import { createFeedbackService, type FeedbackDependencies } from './service.ts';
import { feedbackUserTables } from './user-tables.ts';

export interface FeedbackFeature {
  /** What becomes of this feature's rows when an account is merged or deleted. */
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** Ratings of finished charges, wired. */
export function createFeedback(given: FeedbackDependencies): FeedbackFeature {
  const service = createFeedbackService(given);
  return { userTables: feedbackUserTables, routes: (routes: Routes): void => feedbackRoutes(routes, service) };
}
