import type { Effect } from '@fpay/contract/admin/effect';
import type { ActionRecord, ActionRequest, OperationAction } from '@fpay/contract/admin/operation-actions';
import type { OperationStatus } from '@fpay/contract/charging';
import type { BodyOf, ReplyInput } from '@fpay/contract/endpoint';
import type { Payment } from '../../payments/payment-row.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import type { WayOut } from '../../wallet/staff-limits.ts';
import type { Settling } from '../moves/settling.ts';
import type { Starting } from '../moves/starting.ts';
import type { Stopping } from '../moves/stopping.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import type { Subject } from './effect.ts';

/** What an action finds in its step: the locked operation, and what the action will do to it. */
export interface Locked {
  operation: StoredOperation;
  payment: Payment | null;
  effect: Effect;
  why: string;
}

/** What the actions of staff do their work with. */
export interface ActionTools {
  operations: OperationStore;
  starting: Starting;
  stopping: Stopping;
  settling: Settling;
  payments: PaymentService;
  clock: Clock;
  /** RemoteStop to a device that still delivers, when the effect says so. */
  sendStop(step: Step, locked: Locked): Promise<void>;
  /** Forces an end, and its money with it. */
  end(step: Step, locked: Locked, status: OperationStatus): Promise<void>;
  /** Forces a status in which the charge goes on. */
  reopen(step: Step, locked: Locked, status: OperationStatus): Promise<void>;
}

/** The operation before and after an action. */
export interface ActionDone {
  before: StoredOperation;
  after: StoredOperation;
  /** The request that waits for a second staff member: nothing has happened. */
  approval: number | null;
}

type RecordOf<Name extends OperationAction> = Extract<ActionRecord, { name: Name }>;

/** What an action of staff does to a charge: one record each, beside the contract's record of the same action. */
export interface OperationWork<Name extends OperationAction = OperationAction> {
  record: RecordOf<Name>;
  /** Its name in the audit and in the log of the operation. */
  audited: string;
  /** What the form opens with: enough to find out whether the action makes sense at all. */
  probe: ActionRequest<Name>;
  /** As what the money that it gives away counts for the limit of staff. */
  way: WayOut;
  /** It is offered in every state. */
  isAlwaysOffered: boolean;
  /** False: it is done although its effect is refused. */
  isRefusedByEffect: boolean;
  requestOf(body: BodyOf<RecordOf<Name>['endpoint']>): ActionRequest<Name>;
  replyOf(done: ActionDone): ReplyInput<RecordOf<Name>['endpoint']>;
  why(staff: number): string;
  /** What it changes, or why it is refused. Both the preview and the action itself ask here. */
  effect(subject: Subject, request: ActionRequest<Name>): Effect;
  work(tools: ActionTools, step: Step, locked: Locked, request: ActionRequest<Name>): Promise<unknown>;
}

type Defaults = 'isAlwaysOffered' | 'isRefusedByEffect' | 'requestOf' | 'replyOf' | 'why';

/** An action with a body or with another answer than the new status says so itself. */
export function operationWork<const Name extends OperationAction>(
  work: { record: { name: Name } } & Omit<OperationWork<Name>, Defaults> & Partial<OperationWork<Name>>,
): OperationWork<Name> {
  const { name } = work.record as unknown as { name: Name };
  return {
    isAlwaysOffered: false,
    isRefusedByEffect: true,
    requestOf: () => ({ action: name }) as ActionRequest<Name>,
    replyOf: ({ after, approval }) =>
      ({ status: after.status, approval_id: approval }) as ReplyInput<RecordOf<Name>['endpoint']>,
    why: (staff) => `staff ${staff}: ${work.audited}`,
    ...work,
  };
}
