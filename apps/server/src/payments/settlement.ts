import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import { network } from '../wallet/transfer.ts';
import { chargebackLoss, transferCount } from './booked.ts';
import type { Losses } from './losses.ts';
import { settlementOf } from './payment.ts';
import type { Refunds } from './refunds.ts';
import type { Payment, PaymentStore } from './store.ts';

interface Dependencies {
  payments: PaymentStore;
  refunds: Refunds;
  losses: Losses;
  wallet: WalletService;
}

/**
 * Brings a card payment in line with what the charge costs, whatever the bank, staff and time have done to its money
 * before. It never refuses, because every caller brings a fact: a difference is refunded or booked as a loss.
 */
export function createSettlement({ payments, refunds, losses, wallet }: Dependencies) {
  /** The caller's step holds the payment's row. The settlement may be repeated and may be made again with another total. */
  async function settle(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    const { kept, chargedBack } = await balance(step, payment);
    const { refund, regained, lost } = settlementOf({ total, kept, chargedBack });
    if (refund > 0) await refunds.ask(step, { payment, amount: refund, staff: null, reverses: null });
    if (regained > 0) await regain(step, payment, regained);
    const settled = await losses.set(step, payment, lost);
    const owed = total > 0 ? total : null;
    return settled.total === owed ? settled : payments.change(step, payment.id, { total: owed });
  }

  async function balance(step: Step, payment: Payment): Promise<{ kept: number; chargedBack: number }> {
    // Money that is to be released goes back whole, so none of it pays for the charge.
    const kept = payment.wanted === 'release' ? 0 : await refunds.left(step, payment);
    return { kept, chargedBack: await chargebackLoss(step, payment.id) };
  }

  /** A chargeback was booked as a loss in full, and the charge turned out to cost less than it. */
  async function regain(step: Step, payment: Payment, amount: Kopecks): Promise<void> {
    const nth = (await transferCount(step, payment.id, 'chargeback')) + 1;
    await wallet.transfer(step, [
      {
        key: `payment:${payment.id}:regained:${nth}`,
        kind: 'chargeback',
        from: network.revenue,
        to: network.losses,
        amount,
        payment: payment.id,
        ...(payment.operation === null ? {} : { operation: payment.operation }),
      },
    ]);
  }

  return {
    settle,

    /** How much of a return that the bank made without our request takes money that is owed for a charge. */
    async owedPart(step: Step, payment: Payment, returned: number): Promise<number> {
      const { kept } = await balance(step, payment);
      const notOwed = Math.max(0, kept - (payment.total ?? 0));
      return kopecks(Math.max(0, returned - notOwed));
    },
  };
}

export type Settlement = ReturnType<typeof createSettlement>;
