import { newPayment } from '@fpay/contract/charging';
import type { CallInput } from '@fpay/contract/endpoint';
import { isUnanswered } from '../../../api/money-nonces.ts';

export type PaymentBody = CallInput<typeof newPayment>['body'];

const key = 'fpay.unanswered-payment';

/** For a reload: the payment that was sent and is followed until the server answers. */
export function rememberUnanswered(payment: PaymentBody): void {
  sessionStorage.setItem(key, JSON.stringify(payment));
}

export function forgetUnanswered(): void {
  sessionStorage.removeItem(key);
}

/** The payment of this connector to go on with. Without its nonce it was answered, and would be a second one. */
export function unansweredAt(connector: number): PaymentBody | null {
  const stored = sessionStorage.getItem(key);
  if (stored === null || !isUnanswered(sessionStorage, newPayment.method, newPayment.path)) return null;
  const payment = JSON.parse(stored) as PaymentBody;
  return payment.connector === connector ? payment : null;
}
