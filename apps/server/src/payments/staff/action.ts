import type { Effect } from '@fpay/contract/admin/effect';
import type { ActionRecord, ActionRequest, OperationAction } from '@fpay/contract/admin/operation-actions';
import type { BodyOf, ReplyInput } from '@fpay/contract/endpoint';
import type { Kopecks } from '@fpay/contract/money';
import type { PaymentInfo } from '@fpay/contract/payments';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import type { WayOut } from '../../wallet/staff-limits.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentService } from '../service.ts';
import type { Refunds } from '../settlement/refunds.ts';
import type { PaymentStore } from '../store.ts';

/** What an action of staff on a payment is decided on. */
export interface PaymentSubject {
  payment: Pick<Payment, 'state' | 'holdStatus' | 'method' | 'amount' | 'captured' | 'refunded' | 'total' | 'wanted'>;
  isOperationOpen: boolean;
  /** What the ended charge costs; null for another payment, and while the charge is open. */
  cost: Kopecks | null;
  /** Captured, and neither refunded nor on its way back. */
  kept: number;
  /** What of it can go back: never more than the operation has left of its earnings. */
  refundable: number;
}

/** The payment after an action, and the request that waits for a second staff member when nothing has happened. */
export interface PaymentActionDone extends PaymentInfo {
  approval_id: number | null;
}

interface ActionTools {
  payments: PaymentStore;
  service: PaymentService;
  refunds: Refunds;
  listeners: PaymentListeners;
  clock: Clock;
}

type RecordOf<Name extends OperationAction> = Extract<ActionRecord, { name: Name }>;

/** What an action of staff does to a payment: one record each, beside the contract's record of the same action. */
export interface PaymentWork<Name extends OperationAction = OperationAction> {
  record: RecordOf<Name>;
  /** Its name in the audit and in the logs. */
  audited: string;
  /** As what the money that it gives away counts for the limit of staff. */
  way: WayOut;
  /** What the form opens with: enough to find out whether the action makes sense at all. */
  probe: ActionRequest<Name>;
  requestOf(body: BodyOf<RecordOf<Name>['endpoint']>): ActionRequest<Name>;
  replyOf(done: PaymentActionDone): ReplyInput<RecordOf<Name>['endpoint']>;
  /** What the audit and the logs say beside the name. */
  detailsOf(request: ActionRequest<Name>): object;
  /** What it changes, or why it is refused. Both the preview and the action itself ask here. */
  effect(subject: PaymentSubject, request: ActionRequest<Name>): Effect;
  work(
    tools: ActionTools,
    step: Step,
    locked: { payment: Payment; staff: number; reason: string | null },
    request: ActionRequest<Name>,
  ): Promise<unknown>;
}

/** An action with another answer than what is known of the payment says so itself. */
export function paymentWork<const Name extends OperationAction>(
  work: { record: { name: Name } } & Omit<PaymentWork<Name>, 'replyOf'> & Partial<PaymentWork<Name>>,
): PaymentWork<Name> {
  return { replyOf: (done) => done as ReplyInput<RecordOf<Name>['endpoint']>, ...work };
}
