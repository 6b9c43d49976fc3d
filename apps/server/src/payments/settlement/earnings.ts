import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import { rewardsOf, transferCount } from '../../wallet/payment-transfers.ts';
import type { WalletService } from '../../wallet/service.ts';
import { network, type Transfer } from '../../wallet/transfer.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentStore } from '../store.ts';
import type { TellReturned } from '../tell-returned.ts';

interface Dependencies {
  payments: PaymentStore;
  ledger: WalletStore;
  wallet: WalletService;
  listeners: PaymentListeners;
  tellReturned: TellReturned | undefined;
}

/**
 * The account of what an operation has earned, from the side of its payment: what came in for it and has not gone back. Every way
 * back takes from it. The caller's step has locked the operation and its payment.
 */
export function createEarnings({ payments, ledger, wallet, listeners, tellReturned }: Dependencies) {
  const about = ({ id, operation }: Payment) => ({ payment: id, ...(operation === null ? {} : { operation }) });
  const leftOf = async (operation: number, step?: Step) => (await ledger.earned(operation, step))?.left ?? kopecks(0);

  return {
    leftOf,

    /** Locks the operation with its payment. */
    async lock(step: Step, operation: number): Promise<void> {
      const payment = await payments.ofOperation(operation, step.db);
      if (payment) await payments.lock(step, payment.id);
    },

    /** Staff reversed a charge from the balance: that part of its payment has gone back. */
    async returned(step: Step, operation: number, amount: Kopecks): Promise<void> {
      const payment = await payments.ofOperation(operation, step.db);
      if (!payment) return;
      const refunded = payment.refunded + amount;
      await listeners.notify(step, await payments.change(step, payment.id, { refunded }));
      await tellReturned?.(step, payment.user, { operation, ref: 0, amount, to: 'balance', reason: null });
    },

    /**
     * A return that we did not request: `taken` of it was not owed for the charge, the rest is a loss. The money goes out of the
     * earnings as far as they have it, and out of losses otherwise, because it is gone in any case.
     */
    async chargeback(step: Step, payment: Payment, { key, amount, taken }: Chargeback): Promise<Transfer[]> {
      const earned = payment.operation === null ? null : await ledger.earned(payment.operation, step);
      const fromEarned = Math.min(amount, earned?.left ?? 0);
      const toRevenue = fromEarned - taken;
      const { clearing, losses, revenue } = network;
      const part = (name: string, from: Transfer['from'], to: Transfer['to'], sum: number): Transfer => ({
        key: name,
        kind: 'chargeback',
        from,
        to,
        amount: kopecks(sum),
        ...about(payment),
      });
      return [
        part(`${key}:taken`, earned?.account ?? losses, clearing, fromEarned),
        part(key, losses, clearing, amount - fromEarned),
        toRevenue > 0
          ? part(`${key}:lost`, losses, revenue, toRevenue)
          : part(`${key}:kept`, revenue, losses, -toRevenue),
      ].filter(({ amount: sum }) => sum > 0);
    },

    /**
     * A refund was refused and its money is back, but the bank has returned a part of it by itself in the meantime, which losses
     * paid. Only what the bank still has for us is earned.
     */
    async cover(step: Step, payment: Payment, kept: number): Promise<void> {
      const earned = payment.operation === null ? null : await ledger.earned(payment.operation, step);
      if (earned === null) return;
      const excess = earned.left - Math.max(0, kept - (await rewardsOf(step, earned.account)));
      if (excess <= 0) return;
      const nth = (await transferCount(step, payment.id, 'chargeback')) + 1;
      const key = `payment:${payment.id}:covered:${nth}`;
      const amount = kopecks(excess);
      await wallet.transfer(step, [
        { key, kind: 'chargeback', from: earned.account, to: network.revenue, amount, ...about(payment) },
      ]);
    },
  };
}

interface Chargeback {
  /** The beginning of the keys of its transfers. */
  key: string;
  amount: number;
  taken: number;
}

export type Earnings = ReturnType<typeof createEarnings>;
