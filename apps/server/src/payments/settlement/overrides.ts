import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import { isPaymentOver, type PaymentState } from '../payment.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentStore } from '../store.ts';

interface Dependencies {
  payments: PaymentStore;
  ledger: Pick<WalletStore, 'lock'>;
  clock: Clock;
}

/** What the bank said last, where it is a state of a payment. */
const knownStates: ReadonlySet<string> = new Set(['hold', 'success', 'failure', 'expired', 'reversed']);

/**
 * A state that staff forced moves no money, so what the bank or the reserve really has is still there. It decides as soon as money
 * is to move: at the end of the charge, at a release, a capture or a refund by staff, and when the bank reports something new.
 */
export function createOverrides({ payments, ledger, clock }: Dependencies) {
  async function actualState(step: Step, payment: Payment): Promise<PaymentState> {
    if (payment.captured > 0) return payment.refunded < payment.captured ? 'success' : 'reversed';
    if (payment.reserve) {
      const { account } = payment.reserve;
      return ((await ledger.lock(step, [account])).get(account) ?? 0) > 0 ? 'hold' : 'reversed';
    }
    // A page that was not paid is withdrawn with the override.
    return knownStates.has(payment.bankStatus ?? '') ? (payment.bankStatus as PaymentState) : 'expired';
  }

  return {
    /** The payment as it would be without the override; nothing is written. */
    async seen(step: Step, payment: Payment): Promise<Payment> {
      if (!payment.isOverridden) return payment;
      const state = await actualState(step, payment);
      return { ...payment, state, holdStatus: state };
    },

    /** Takes the override back. The caller's step has locked the payment, and says what it does with the money. */
    async lift(step: Step, payment: Payment): Promise<Payment> {
      if (!payment.isOverridden) return payment;
      const state = await actualState(step, payment);
      const closed = isPaymentOver(state) ? clock.now() : null;
      const changes = { is_overridden: false, closed_at: closed };
      return (await payments.move(step, payment, { overriddenTo: state }, changes)) ?? payment;
    },
  };
}

export type Overrides = ReturnType<typeof createOverrides>;
