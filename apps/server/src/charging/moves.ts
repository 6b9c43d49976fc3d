import type { OperationStatus } from '@fpay/contract/charging';
import type { Updateable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Operations as Row } from '../platform/generated/database.ts';
import type { Step } from '../platform/step.ts';
import { nextStatus, type OperationEvent } from './operation.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  /** The connector's own status depends on the operation at it: the map must be drawn anew. */
  tellConnector: (step: Step, connector: number) => Promise<void>;
  clock: Clock;
}

const ended: readonly OperationStatus[] = ['finished', 'canceled', 'failed', 'failed_hold'];

export interface Move {
  event: OperationEvent;
  /** Who made it happen, for the log. */
  actor: string;
  why: string;
  changes?: Updateable<Row>;
}

/** The only way an operation changes its status: through the table, with its log line, in the caller's step. */
export function createMoves({ operations, tellConnector, clock }: Dependencies) {
  return {
    /** Null when the table does not allow it: that is noted, and nothing changes. */
    async move(step: Step, operation: Operation, { event, actor, why, changes = {} }: Move): Promise<Operation | null> {
      const status = nextStatus(operation.status, event);
      if (status === null) {
        await operations.note(step, operation.id, actor, `${why}: ${event} does not apply to ${operation.status}`);
        return null;
      }
      const isEnd = ended.includes(status);
      await tellConnector(step, operation.connector);
      await operations.note(step, operation.id, actor, `${operation.status} → ${status}: ${why}`);
      return operations.change(step, operation.id, {
        status,
        status_at: clock.now(),
        ...(isEnd ? { closed_at: clock.now(), next_action_at: null } : {}),
        ...changes,
      });
    },
  };
}

export type Moves = ReturnType<typeof createMoves>;
