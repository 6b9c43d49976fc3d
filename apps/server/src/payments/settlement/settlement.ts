import type { Kopecks } from '@fpay/contract/money';
import type { Step } from '../../platform/step.ts';
import { chargebackLoss } from '../../wallet/payment-transfers.ts';
import { network } from '../../wallet/transfer.ts';
import { lossWithin, settlementOf } from '../payment.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentStore } from '../store.ts';
import type { Losses } from './losses.ts';
import type { Refunds } from './refunds.ts';

interface Dependencies {
  payments: PaymentStore;
  refunds: Refunds;
  losses: Losses;
}

/**
 * Adjusts a card payment to the cost of the charge, whatever the bank, staff and time have done to its money before. It
 * never refuses, because every caller has a fact: a difference is refunded or booked as a loss.
 */
export function createSettlement({ payments, refunds, losses }: Dependencies) {
  /** The caller's step has locked the payment's row. The settlement may be repeated, also with another total. */
  async function settle(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    // Money that must be released is returned completely, so none of it pays for the charge.
    const kept = payment.wanted === 'release' ? 0 : await refunds.left(step, payment);
    const chargedBack = await chargebackLoss(step, payment.id);
    const { refund, regained, lost } = settlementOf({ total, kept, chargedBack });
    await refunds.askUpTo(step, payment, refund);
    await losses.regain(step, payment, network.revenue, regained);
    const settled = await losses.set(step, payment, lost);
    const owed = total > 0 ? total : null;
    return settled.total === owed ? settled : payments.change(step, payment.id, { total: owed });
  }

  return {
    settle,

    /** For a payment that pays for a finished charge. No money moves; a loss is booked that became more or less. */
    async recount(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
      const amounts = {
        total,
        kept: await refunds.left(step, payment),
        given: payment.method === 'bonuses' ? payment.refunded : await refunds.byStaff(step, payment.id),
        chargedBack: await chargebackLoss(step, payment.id),
      };
      return losses.set(step, payment, lossWithin(payment.lost, amounts));
    },

    returnAll: async (step: Step, payment: Payment) =>
      refunds.askUpTo(step, payment, await refunds.left(step, payment)),

    /** How much of a return that the bank made without our request was owed for a charge. */
    async owedPart(step: Step, payment: Payment, returned: number): Promise<number> {
      const kept = await refunds.left(step, payment);
      // What is lost already is not owed by the money that is left.
      const owed = Math.max(0, (payment.total ?? 0) - payment.lost - (await chargebackLoss(step, payment.id)));
      return Math.max(0, returned - Math.max(0, kept - owed));
    },
  };
}

export type Settlement = ReturnType<typeof createSettlement>;
