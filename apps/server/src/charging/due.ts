import type { OperationStatus } from '@fpay/contract/charging';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import type { AskReading } from './ask-reading.ts';
import type { Starting } from './starting.ts';
import type { Stopping } from './stopping.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  starting: Starting;
  stopping: Stopping;
  askReading: AskReading;
  clock: Clock;
  wakeAt: (at: Date) => void;
}

/** A reading asked for later than this would come after the stop. */
const tooLateToAskMs = 400;

/** What is due in each status. The row's own state says what, `next_action_at` says when. */
export function createDueOperation(dependencies: Dependencies) {
  const { operations, starting, stopping, askReading, clock, wakeAt } = dependencies;
  const rest = (step: Step, operation: Operation) =>
    operations.change(step, operation.id, { next_action_at: null }).then(() => {});

  /** Due while power flows: shortly before the stop a fresh reading is asked for, then the stop itself. */
  async function nearTheLimit(step: Step, operation: Operation): Promise<void> {
    const { stopDueAt } = operation;
    if (stopDueAt === null) return rest(step, operation);
    if (stopDueAt.getTime() - clock.now().getTime() < tooLateToAskMs) {
      await stopping.stop(step, operation, 'limit', 'the deposit is used up');
      return;
    }
    await operations.change(step, operation.id, { next_action_at: stopDueAt });
    step.afterCommit(() => wakeAt(stopDueAt));
    await askReading(step, operation);
  }

  const actions = {
    // A change of the payment moves it on; payments poll the bank by themselves.
    created: rest,
    pending: starting.begin,
    starting: starting.due,
    ongoing: nearTheLimit,
    finishing: stopping.askAgain,
    finished: rest,
    pending_final_payment: rest,
    canceled: rest,
    failed: rest,
    failed_hold: rest,
  } as const satisfies Record<OperationStatus, (step: Step, operation: Operation) => Promise<void>>;

  return async function actOnOperation(step: Step, id: number): Promise<void> {
    const operation = await operations.lock(step, id);
    if (operation) await actions[operation.status](step, operation);
  };
}
