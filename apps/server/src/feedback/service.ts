import { isOpen, type OperationStatus } from '@fpay/contract/charging';
import type { FeedbackAnswer } from '@fpay/contract/feedback';
import { maySee } from '../charging/may-see.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';

export interface FeedbackDependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  /** Owner and status of the operation; null when there is none. */
  operationOf: (id: number) => Promise<RatedOperation | null>;
  /** Gets every feedback in the step that stores it. */
  stored: (step: Step, feedback: Feedback & { charge: RatedOperation }) => Promise<void>;
}

export interface RatedOperation {
  user: number;
  station: number;
  status: OperationStatus;
}

export interface Feedback {
  operation: number;
  rating: number;
  comment: string | null;
}

/** One feedback per operation, by its driver, after its end. */
export function createFeedbackService({ db, steps, clock, operationOf, stored }: FeedbackDependencies) {
  async function answer(viewer: Viewer, operation: number): Promise<FeedbackAnswer> {
    return answerFor(viewer, operation, await operationOf(operation));
  }

  async function answerFor(viewer: Viewer, operation: number, found: RatedOperation | null): Promise<FeedbackAnswer> {
    if (found?.user !== viewer.id) return 'DENY_NOT_OWNER';
    if (isOpen(found.status)) return 'DENY_NOT_ENDED';
    const rated = await db.selectFrom('feedback').select('id').where('operation_id', '=', operation).executeTakeFirst();
    return rated ? 'DENY_RATED' : 'ALLOW';
  }

  return {
    answer,
    async give(viewer: Viewer, { operation, rating, comment }: Feedback): Promise<void> {
      const found = await operationOf(operation);
      if (!maySee(found, viewer)) throw new Refusal('not_found');
      if ((await answerFor(viewer, operation, found)) !== 'ALLOW') throw new Refusal('feedback_denied');
      try {
        await steps.run(async (step) => {
          await step.db
            .insertInto('feedback')
            .values({ operation_id: operation, user_id: viewer.id, rating, comment, created_at: clock.now() })
            .execute();
          await stored(step, { operation, rating, comment, charge: found });
          step.publish('operation', operation);
        });
      } catch (error) {
        // Of two taps at the same time the first one counts.
        if (isUniqueViolation(error)) throw new Refusal('feedback_denied');
        throw error;
      }
    },
  };
}

export type FeedbackService = ReturnType<typeof createFeedbackService>;
