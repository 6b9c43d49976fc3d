import type { Step } from '../../platform/step.ts';

export type TerminationType =
  | 'over_limit'
  | 'silent'
  | 'stuck'
  | 'idle'
  | 'away'
  | 'hold_ending'
  | 'forgotten'
  | 'stop_ignored';

/** Adds the operation to the staff's list of terminations, once for each type. */
export async function listTermination(step: Step, operation: number, type: TerminationType, at: Date): Promise<void> {
  await step.db
    .insertInto('terminations')
    .values({ operation_id: operation, type, noticed_at: at })
    .onConflict((conflict) => conflict.columns(['operation_id', 'type']).doNothing())
    .execute();
  step.publish('staff-list', 'terminations');
}
