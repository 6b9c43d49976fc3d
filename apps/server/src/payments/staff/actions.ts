import type { Effect } from '@fpay/contract/admin/effect';
import type { ActionRequest } from '@fpay/contract/admin/operation-actions';
import type { PaymentSubject, PaymentWork } from './action.ts';
import { cancelHoldWork } from './actions/cancel-hold.ts';
import { cancelPaymentWork } from './actions/cancel-payment.ts';
import { finalizeWork } from './actions/finalize.ts';
import { forceHoldWork } from './actions/force-hold.ts';

/** The actions that payments do, by the names of the contract. */
export const paymentWorks = {
  force_hold: forceHoldWork,
  cancel_hold: cancelHoldWork,
  finalize: finalizeWork,
  cancel_payment: cancelPaymentWork,
};
type PaymentWorks = typeof paymentWorks;
type PaymentAction = { [Name in keyof PaymentWorks]: PaymentWorks[Name]['record']['name'] }[keyof PaymentWorks];
export type PaymentOrder = ActionRequest<PaymentAction>;

/** A record gets only requests of its own action, which the compiler cannot follow through a list. */
const works = paymentWorks as unknown as Record<PaymentAction, PaymentWork<PaymentAction>>;
export const paymentWorkList = Object.values(works);
export const paymentWorkOf = ({ action }: PaymentOrder) => works[action];

/** What an action of staff on a payment changes, or why it is refused. Both the preview and the action itself ask here. */
export function paymentEffect(subject: PaymentSubject, order: PaymentOrder): Effect {
  return paymentWorkOf(order).effect(subject, order);
}
