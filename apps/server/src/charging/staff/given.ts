import type { Effect } from '@fpay/contract/admin/effect';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { isPaymentOver } from '../../payments/payment.ts';
import { billFor } from '../moves/bill.ts';
import { isFinal, type Subject } from './effect.ts';

const endsWithoutBill = ['canceled', 'failed', 'failed_hold'];
const goesOn = ['pending', 'starting', 'ongoing', 'finishing'];

/** What an action on a charge gives away: money that was kept, energy that would be paid, or energy that is never paid. */
export function givenAway(subject: Subject, effect: Effect): Kopecks {
  const { operation, payment, settled } = subject;
  const isOver = payment === null || isFinal(payment);
  const to = effect.operation?.to ?? operation.status;
  // From a hold only what was never earned goes back. Afterwards every return is of money that was kept.
  const returned = effect.money
    .filter(({ kind }) => kind === 'refund' || (kind === 'return' && isOver))
    .reduce((sum, { amount }) => sum + amount, 0);
  const isWaived = payment !== null && !isOver && endsWithoutBill.includes(to);
  const waived = isWaived ? Math.max(operation.total, billFor(operation, settled).total) : 0;
  const lowered = effect.total ? Math.max(0, effect.total.from - effect.total.to) : 0;
  // Until it is paid nothing stands for the energy of a charge that is forced to go on.
  const isUnpaid = payment !== null && payment.state !== 'hold' && !isPaymentOver(payment.state);
  const unpaid = isUnpaid && effect.operation !== null && goesOn.includes(to) ? payment.amount : 0;
  // Each is another view of the same money.
  return kopecks(Math.max(returned, waived, lowered, unpaid));
}
