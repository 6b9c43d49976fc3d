import type { Effect } from '@fpay/contract/admin/effect';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { isPaymentOver } from '../payment.ts';
import type { PaymentSubject } from './action.ts';
import type { PaymentOrder } from './actions.ts';

const isPaid = (state: string) => state === 'hold' || state === 'success';

/** What an action on a payment gives away: money that was kept, or a charge that the payment will not pay for. */
export function paymentGiven(
  { payment, isOperationOpen }: PaymentSubject,
  order: PaymentOrder,
  effect: Effect,
): Kopecks {
  const refunded = effect.money.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + amount, 0);
  // What an open charge will cost is not known, and at most the deposit.
  const due = isOperationOpen ? payment.amount : (payment.total ?? 0);
  if (order.action === 'finalize') {
    return kopecks(payment.state === 'hold' ? Math.max(0, due - order.amount) : refunded);
  }
  if (order.action === 'cancel_hold') return kopecks(due);
  if (order.action === 'force_hold' && effect.payment !== null) {
    if (isPaid(order.hold)) return kopecks(isPaid(payment.state) ? 0 : payment.amount);
    return kopecks(isPaymentOver(payment.state) ? 0 : due);
  }
  return kopecks(refunded);
}
