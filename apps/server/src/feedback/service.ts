import { isOpen, type OperationStatus } from '@fpay/contract/charging';
import type { FeedbackAnswer } from '@fpay/contract/feedback';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Steps } from '../platform/step.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  /** Whose the operation is and where it stands; null when there is none. */
  operationOf: (id: number) => Promise<{ user: number; status: OperationStatus } | null>;
}

export interface Feedback {
  operation: number;
  rating: number;
  comment: string | null;
}

/** One word per operation, by its driver, after its end. */
export function createFeedbackService({ db, steps, clock, operationOf }: Dependencies) {
  async function answer(viewer: Viewer, operation: number): Promise<FeedbackAnswer> {
    const found = await operationOf(operation);
    if (found?.user !== viewer.id) return 'DENY_NOT_OWNER';
    if (isOpen(found.status)) return 'DENY_NOT_ENDED';
    const rated = await db.selectFrom('feedback').select('id').where('operation_id', '=', operation).executeTakeFirst();
    return rated ? 'DENY_RATED' : 'ALLOW';
  }

  return {
    answer,
    async give(viewer: Viewer, { operation, rating, comment }: Feedback): Promise<void> {
      const allowed = await answer(viewer, operation);
      if (allowed === 'DENY_NOT_OWNER') throw new Refusal('not_found');
      if (allowed !== 'ALLOW') throw new Refusal('feedback_denied');
      try {
        await steps.run(async (step) => {
          await step.db
            .insertInto('feedback')
            .values({ operation_id: operation, user_id: viewer.id, rating, comment, created_at: clock.now() })
            .execute();
          step.tell('operation', operation);
        });
      } catch (error) {
        // Two taps at once: the first one counts.
        if (isUniqueViolation(error)) throw new Refusal('feedback_denied');
        throw error;
      }
    },
  };
}

export type FeedbackService = ReturnType<typeof createFeedbackService>;
