import { forceHoldAction } from '@fpay/contract/admin/actions/force-hold';
import { noEffect } from '@fpay/contract/admin/effect';
import { isPageOpen, type PaymentState } from '../../payment.ts';
import { paymentWork } from '../action.ts';

export const forceHoldWork = paymentWork({
  record: forceHoldAction,
  audited: 'payment.override-status',
  way: 'hold',
  probe: { action: 'force_hold', hold: 'hold' },
  requestOf: ({ status }) => ({ action: 'force_hold', hold: status }),
  replyOf: ({ status, approval_id }) => ({ status, approval_id }),
  detailsOf: ({ hold: status }) => ({ status }),

  effect({ payment: { holdStatus } }, { hold }) {
    return { ...noEffect, payment: holdStatus === hold ? null : { from: holdStatus, to: hold } };
  },

  async work({ payments, listeners, clock }, step, { payment }, { hold }) {
    if (payment.holdStatus === hold) return;
    const forced = await payments.move(
      step,
      payment,
      // The contract refuses `unknown`.
      { overriddenTo: hold as PaymentState },
      {
        is_uncertain: false,
        is_overridden: true,
        wanted: null,
        // An open page must not be paid any more.
        next_action_at: payment.invoice !== null && isPageOpen(payment) ? clock.now() : null,
        due_claim: payment.claim + 1,
        closed_at: clock.now(),
      },
    );
    if (forced) await listeners.notify(step, forced);
  },
});
