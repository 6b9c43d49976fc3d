import { cancelPaymentAction } from '@fpay/contract/admin/actions/cancel-payment';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { kopecks } from '@fpay/contract/money';
import { paymentWork } from '../action.ts';

export const cancelPaymentWork = paymentWork({
  record: cancelPaymentAction,
  audited: 'payment.cancel',
  way: 'refund',
  probe: { action: 'cancel_payment' },
  requestOf: ({ amount }) => ({ action: 'cancel_payment', amount }),
  detailsOf: ({ amount }) => ({ amount: amount ?? 'all' }),

  effect({ payment, refundable }, { amount }) {
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
  },

  async work({ refunds }, step, { payment, staff, reason }, { amount }) {
    const all = await refunds.returnable(step, payment);
    await refunds.ask(step, { payment, amount: amount ?? kopecks(all), staff, reverses: null, reason });
  },
});
