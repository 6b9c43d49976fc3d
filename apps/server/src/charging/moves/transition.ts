import { finalStatuses, isAmong } from '@fpay/contract/charging';
import type { BegunOperation } from '../../ocpp/device/charging-port.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { nextStatus, type OperationEvent, type StatusOverride } from '../operation.ts';
import type { OperationChanges, OperationStore, StoredOperation } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  /** The connector's status depends on its operation, so the map must be redrawn. */
  publishConnector: (step: Step, connector: number) => Promise<void>;
  clock: Clock;
}

/** An operation in `starting` whose transaction has begun. */
export interface FlowingOperation
  extends Pick<BegunOperation, 'operationId' | 'stationId' | 'ocppTransactionId' | 'startedAt'> {
  plan: { metered_at: Date; stop_due_at?: Date; next_action_at: Date | null };
}

export const startedText = (ocppTransaction: number) => `transaction ${ocppTransaction} started`;

export interface Transition {
  event: OperationEvent | StatusOverride;
  /** The actor, for the log. */
  actor: string;
  why: string;
  changes?: OperationChanges;
}

/** The only way to change the status of an operation: through the table, with its log line, in the caller's step. */
export function createTransitions({ operations, publishConnector, clock }: Dependencies) {
  return {
    /** Null when the table does not allow it: that is logged, and nothing changes. */
    async move(
      step: Step,
      operation: StoredOperation,
      { event, actor, why, changes = {} }: Transition,
    ): Promise<StoredOperation | null> {
      const status = nextStatus(operation.status, event);
      if (status === null) {
        await operations.note(step, operation.id, actor, `${why}: ${event} does not apply to ${operation.status}`);
        return null;
      }
      const isEnd = isAmong(finalStatuses, status);
      await publishConnector(step, operation.connector);
      await operations.note(step, operation.id, actor, `${operation.status} → ${status}: ${why}`);
      return operations.enter(step, operation, status, {
        status_at: clock.now(),
        // An operation that staff open again loses its end.
        closed_at: isEnd ? clock.now() : null,
        ...(isEnd ? { next_action_at: null } : {}),
        ...changes,
      });
    },

    /** `move` by `powerFlows` for many locked operations, in one statement. All of them are in `starting`. */
    async powerFlows(step: Step, flowing: readonly FlowingOperation[]): Promise<void> {
      const from = 'starting';
      const status = nextStatus(from, 'powerFlows');
      if (status === null || flowing.length === 0) return;
      for (const { stationId } of flowing) step.publish('station', stationId);
      const textOf = ({ ocppTransactionId }: FlowingOperation) =>
        `${from} → ${status}: ${startedText(ocppTransactionId)}`;
      await operations.begin(
        step,
        { before: from, status },
        flowing.map((one) => ({ id: one.operationId, text: textOf(one), startedAt: one.startedAt, ...one.plan })),
      );
    },
  };
}

export type Transitions = ReturnType<typeof createTransitions>;
