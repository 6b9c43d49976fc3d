import { type Effect, noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import type { Payment } from './store.ts';

export interface PaymentSubject {
  payment: Pick<Payment, 'state' | 'holdStatus' | 'method' | 'amount' | 'captured' | 'refunded' | 'total' | 'wanted'>;
  isOperationOpen: boolean;
  /** Captured, and neither refunded nor on its way back. */
  refundable: number;
}

export type PaymentOrder =
  | { action: 'finalize'; amount: Kopecks }
  | { action: 'cancel_hold' }
  | { action: 'cancel_payment'; amount?: Kopecks | undefined }
  | { action: 'force_hold'; status: Exclude<HoldStatus, 'unknown'> };

function finalize({ payment, isOperationOpen, refundable }: PaymentSubject, amount: Kopecks): Effect {
  // The total is not known before the end, and a hold can be captured only once.
  if (isOperationOpen) return refusedEffect('operation_open');
  if (payment.state === 'success') {
    if (amount > refundable) return refusedEffect('capture_too_high');
    const back = kopecks(refundable - amount);
    // A charge from the balance is returned by the reversal of its balance transaction.
    if (back > 0 && payment.method !== 'bank') return refusedEffect('payment_not_captured');
    return { ...noEffect, money: back > 0 ? [{ kind: 'refund', amount: back }] : [] };
  }
  if (payment.state !== 'hold' || payment.wanted === 'release') return refusedEffect('payment_not_held');
  if (amount > (payment.total ?? payment.amount)) return refusedEffect('capture_too_high');
  const rest = kopecks(payment.amount - amount);
  const back = { kind: payment.method === 'bank' ? ('release' as const) : ('return' as const), amount: rest };
  return {
    ...noEffect,
    payment: { from: payment.holdStatus, to: 'success' },
    money: [{ kind: 'capture', amount }, ...(rest > 0 ? [back] : [])],
  };
}

function cancelHold({ payment }: PaymentSubject): Effect {
  if (payment.state !== 'hold') return refusedEffect('payment_not_held');
  return {
    ...noEffect,
    payment: { from: payment.holdStatus, to: 'reversed' },
    money: [{ kind: payment.method === 'bank' ? 'release' : 'return', amount: payment.amount }],
  };
}

function cancelPayment({ payment, refundable }: PaymentSubject, amount: Kopecks | undefined): Effect {
  if (payment.state !== 'success') return refusedEffect('payment_not_captured');
  // A charge from the balance is returned by the reversal of its balance transaction.
  if (payment.method !== 'bank') return refusedEffect('payment_not_captured');
  if (refundable === 0 || (amount ?? 0) > refundable) return refusedEffect('refund_too_high');
  const back = kopecks(amount ?? refundable);
  const isAll = back === payment.captured - payment.refunded;
  return {
    ...noEffect,
    payment: isAll ? { from: payment.holdStatus, to: 'reversed' } : null,
    money: [{ kind: 'refund', amount: back }],
  };
}

/** What a staff action on a payment changes, or why it is refused. Both the preview and the action itself ask here. */
export function paymentEffect(subject: PaymentSubject, order: PaymentOrder): Effect {
  switch (order.action) {
    case 'finalize':
      return finalize(subject, order.amount);
    case 'cancel_hold':
      return cancelHold(subject);
    case 'cancel_payment':
      return cancelPayment(subject, order.amount);
    case 'force_hold': {
      const { holdStatus } = subject.payment;
      return { ...noEffect, payment: holdStatus === order.status ? null : { from: holdStatus, to: order.status } };
    }
  }
}
