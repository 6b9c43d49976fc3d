import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../../platform/step.ts';
import { transferCount } from '../../wallet/payment-transfers.ts';
import type { WalletService } from '../../wallet/service.ts';
import { type AccountId, network } from '../../wallet/transfer.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentStore } from '../store.ts';

interface Dependencies {
  payments: PaymentStore;
  wallet: WalletService;
}

/**
 * Energy was delivered and its price can never be collected: it is booked as revenue and, on the other side, as a loss.
 */
export function createLosses({ payments, wallet }: Dependencies) {
  return {
    /**
     * Sets the lost sum of a payment. Only the difference is booked, in either direction, because a later total may be
     * lower.
     */
    async set(step: Step, payment: Payment, lost: Kopecks): Promise<Payment> {
      if (lost === payment.lost) return payment;
      const isMore = lost > payment.lost;
      const made = await transferCount(step, payment.id, 'lost');
      await wallet.transfer(step, [
        {
          key: `payment:${payment.id}:lost${made === 0 ? '' : `:${made + 1}`}`,
          kind: 'lost',
          from: isMore ? network.losses : network.revenue,
          to: isMore ? network.revenue : network.losses,
          amount: kopecks(Math.abs(lost - payment.lost)),
          payment: payment.id,
          ...(payment.operation === null ? {} : { operation: payment.operation }),
        },
      ]);
      return payments.change(step, payment.id, { lost });
    },

    /** A chargeback was booked as a loss in full, and a part of it turned out to be covered by an account. */
    async regain(step: Step, payment: Payment, from: AccountId, amount: Kopecks): Promise<void> {
      if (amount === 0) return;
      const nth = (await transferCount(step, payment.id, 'chargeback')) + 1;
      await wallet.transfer(step, [
        {
          key: `payment:${payment.id}:regained:${nth}`,
          kind: 'chargeback',
          from,
          to: network.losses,
          amount,
          payment: payment.id,
          ...(payment.operation === null ? {} : { operation: payment.operation }),
        },
      ]);
    },
  };
}

export type Losses = ReturnType<typeof createLosses>;
