import type { Commands } from '../ocpp/commands/service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import type { Moves } from './moves.ts';
import { outcomeTo, type Starting } from './starting.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  starting: Starting;
  commands: Pick<Commands, 'enqueue'>;
  clock: Clock;
}

/** A stop is repeated until the device says it stopped: it may have been lost on the way, and asking twice does no harm. */
const askAgainMs = 30_000;

export type StopCause = 'driver' | 'staff' | 'rfid' | 'limit' | 'watchdog';

/** A stop from our side, whoever wants it. The device's StopTransaction is what ends the charge. */
export function createStopping({ operations, moves, starting, commands, clock }: Dependencies) {
  async function sendStop(step: Step, operation: Operation): Promise<void> {
    const transaction = await operations.ocppTransaction(operation.id, step.db);
    const next_action_at = new Date(clock.now().getTime() + askAgainMs);
    await operations.change(step, operation.id, { next_action_at });
    if (!transaction || transaction.isStopped) return;
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'RemoteStopTransaction',
      payload: { transactionId: transaction.id },
      operationId: operation.id,
      outcomeTo,
    });
  }

  return {
    /** Due in `finishing`. */
    askAgain: sendStop,

    /** Gives the operation as it then is. What has ended already stays as it is. */
    async stop(step: Step, operation: Operation, cause: StopCause, why: string): Promise<Operation> {
      switch (operation.status) {
        case 'created':
        case 'pending':
        case 'starting': {
          const changes = { stop_requested_at: clock.now(), stop_cause: cause };
          const canceled = await moves.move(step, operation, { event: 'withdrawn', actor: cause, why, changes });
          if (canceled) await starting.releaseMoney(step, operation.id);
          return canceled ?? operation;
        }
        case 'ongoing': {
          const changes = { stop_requested_at: clock.now(), stop_cause: cause, stop_due_at: null };
          const finishing = await moves.move(step, operation, { event: 'stopAsked', actor: cause, why, changes });
          if (finishing) await sendStop(step, finishing);
          return finishing ?? operation;
        }
        default:
          return operation;
      }
    },
  };
}

export type Stopping = ReturnType<typeof createStopping>;
