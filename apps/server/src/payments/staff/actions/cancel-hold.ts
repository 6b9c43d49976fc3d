import { cancelHoldAction } from '@fpay/contract/admin/actions/cancel-hold';
import { noEffect, refusedEffect } from '@fpay/contract/admin/effect';
import { paymentWork } from '../action.ts';

export const cancelHoldWork = paymentWork({
  record: cancelHoldAction,
  audited: 'payment.cancel-hold',
  way: 'hold',
  probe: { action: 'cancel_hold' },
  requestOf: () => ({ action: 'cancel_hold' }),
  detailsOf: () => ({}),

  effect({ payment }) {
    if (payment.state !== 'hold') return refusedEffect('payment_not_held');
    return {
      ...noEffect,
      payment: { from: payment.holdStatus, to: 'reversed' },
      money: [{ kind: payment.method === 'bank' ? 'release' : 'return', amount: payment.amount }],
    };
  },

  work: ({ service }, step, { payment }) => service.release(step, payment.id),
});
