import { finalizeAction } from '@fpay/contract/admin/actions/finalize';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { kopecks } from '@fpay/contract/money';
import { paymentWork } from '../action.ts';

export const finalizeWork = paymentWork({
  record: finalizeAction,
  audited: 'payment.finalize',
  way: 'capture',
  probe: { action: 'finalize', amount: kopecks(1) },
  requestOf: ({ amount }) => ({ action: 'finalize', amount }),
  detailsOf: ({ amount }) => ({ amount }),

  effect({ payment, isOperationOpen, cost, kept, refundable }, { amount }) {
    // The total is not known before the end, and a hold can be captured only once.
    if (isOperationOpen) return refusedEffect('operation_open');
    if (payment.state === 'success') {
      if (amount > kept) return refusedEffect('capture_too_high');
      const back = kopecks(kept - amount);
      // A charge from the balance is returned by the reversal of its balance transaction.
      if (back > 0 && payment.method !== 'bank') return refusedEffect('payment_not_captured');
      if (back > refundable) return refusedEffect('refund_too_high');
      return { ...noEffect, money: back > 0 ? [{ kind: 'refund', amount: back }] : [] };
    }
    if (payment.state !== 'hold' || payment.wanted === 'release') return refusedEffect('payment_not_held');
    if (amount > (payment.total ?? cost ?? payment.amount)) return refusedEffect('capture_too_high');
    const rest = kopecks(payment.amount - amount);
    const back = { kind: payment.method === 'bank' ? ('release' as const) : ('return' as const), amount: rest };
    return {
      ...noEffect,
      payment: { from: payment.holdStatus, to: 'success' },
      money: [{ kind: 'capture', amount }, ...(rest > 0 ? [back] : [])],
    };
  },

  async work({ service, refunds }, step, { payment, staff, reason }, { amount }) {
    if (payment.state !== 'success') return service.capture(step, payment.id, amount);
    // A captured payment can only be lowered: the difference is refunded.
    const kept = await refunds.left(step, payment);
    if (amount === kept) return;
    await refunds.ask(step, { payment, amount: kopecks(kept - amount), staff, reverses: null, reason });
  },
});
