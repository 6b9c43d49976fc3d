import type { OperationStatus } from '@fpay/contract/charging';
import type { Step } from '../../platform/step.ts';
import type { LimitWatch } from '../limit/limit-watch.ts';
import type { Starting } from '../moves/starting.ts';
import type { Stopping } from '../moves/stopping.ts';
import type { OperationStore, StoredOperation } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  starting: Starting;
  stopping: Stopping;
  limitWatch: LimitWatch;
}

/** What is due in each status. The state of the row decides what, `next_action_at` decides when. */
export function createDueOperation({ operations, starting, stopping, limitWatch }: Dependencies) {
  const rest = (step: Step, operation: StoredOperation) =>
    operations.change(step, operation.id, { next_action_at: null }).then(() => {});

  const actions = {
    // A change of the payment changes it; payments poll the bank themselves.
    created: rest,
    pending: starting.begin,
    starting: starting.due,
    ongoing: limitWatch.due,
    finishing: stopping.askAgain,
    finished: rest,
    pending_final_payment: rest,
    canceled: rest,
    failed: rest,
    failed_hold: rest,
  } as const satisfies Record<OperationStatus, (step: Step, operation: StoredOperation) => Promise<void>>;

  return async function actOnOperation(step: Step, id: number): Promise<void> {
    const operation = await operations.lock(step, id);
    if (operation) await actions[operation.status](step, operation);
  };
}
