import { type Kopecks, kopecks } from '@fpay/contract/money';
import { type Audit, recordedOutcome } from '../platform/audit.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { reversal, reversalKey, reversible, wayBack } from './reversal.ts';
import type { WalletService } from './service.ts';
import type { MadeTransfer, WalletStore } from './store.ts';
import { type AccountId, network } from './transfer.ts';

/** The card's side of a top-up, which only payments know. */
export interface TopUps {
  /** Sends a top-up's money back to its card, out of the wallet; refused when that is already under way. */
  returnToCard(step: Step, topUp: { payment: number; amount: Kopecks; staff: number; reverses: number }): Promise<void>;
  /** Also holds the payment still until the step is over. */
  isBeingReturned(step: Step, payment: number): Promise<boolean>;
}

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  wallet: WalletService;
  topUps: TopUps;
  audit: Audit;
}

export interface StaffMoney {
  staff: number;
  user: number;
  amount: Kopecks;
  requestKey: string;
}

export interface Cancellation {
  staff: number;
  transaction: number;
  cancelPayment: boolean;
  allowPartial: boolean;
  requestKey: string;
}

/** What staff may do to balances: give, take, and undo. All of it is on record. */
export function createStaffMoney({ steps, ledger, wallet, topUps, audit }: Dependencies) {
  async function adjust(action: 'increase' | 'decrease', { staff, user, amount, requestKey }: StaffMoney) {
    const key = `${action}:${requestKey}`;
    await steps.run(async (step) => {
      if (await ledger.isMade(step, key)) return;
      const holder = await ledger.holder(user, step.db);
      if (!holder) throw new Refusal('user_not_found');
      await refuseOwn(step, staff, [holder.wallet]);
      const ends =
        action === 'increase' ? { from: network.staff, to: holder.wallet } : { from: holder.wallet, to: network.staff };
      await wallet.transfer(step, [{ key, kind: 'admin', ...ends, amount, staff }]);
      await audit(step, { staff, action: `balance.${action}`, subject: { kind: 'user', id: user }, after: { amount } });
    });
    return { balance: await wallet.balanceOf(user) };
  }

  /** Staff decide about the money of others only. A wallet that they share with others counts as their own. */
  async function refuseOwn(step: Step, staff: number, wallets: readonly AccountId[]): Promise<void> {
    const own = await ledger.holder(staff, step.db);
    if (own && wallets.includes(own.wallet)) throw new Refusal('own_balance');
  }

  /** For an operation only what it earned can come back; until it is settled there is nothing to reverse. */
  async function amountOf(step: Step, transfer: MadeTransfer): Promise<Kopecks> {
    if (transfer.kind !== 'operation_payment') return transfer.amount;
    const operation = transfer.operation ?? 0;
    const earned = await ledger.findByKey(step, `operation:${operation}:earned`);
    const left = (earned?.amount ?? 0) + (await ledger.corrections(step, operation)).sum;
    if (left <= 0) throw new Refusal('not_reversible');
    return kopecks(left);
  }

  async function reverse(
    step: Step,
    { staff, transaction, cancelPayment, allowPartial }: Cancellation,
  ): Promise<Kopecks> {
    const transfer = await ledger.find(step, transaction);
    if (!transfer) throw new Refusal('transaction_not_found');
    const way = wayBack(transfer);
    if (!way) throw new Refusal('not_reversible');
    await refuseOwn(step, staff, [way.from, way.to]);
    const wanted = await amountOf(step, transfer);
    // The payment's row before the accounts, as everywhere.
    if (transfer.kind === 'deposit' && transfer.payment !== undefined) {
      if (await topUps.isBeingReturned(step, transfer.payment)) throw new Refusal('already_reversed');
    }
    // Both ends are held still from here on, so what is counted now is what is moved below.
    const balances = await ledger.lock(step, [way.from, way.to]);
    if (await ledger.isMade(step, reversalKey(transaction))) throw new Refusal('already_reversed');
    const amount = reversible(wanted, balances.get(way.from) ?? null, allowPartial);
    if (amount === null) throw new Refusal('balance_too_small');
    if (cancelPayment && transfer.kind === 'deposit' && transfer.payment !== undefined) {
      await topUps.returnToCard(step, { payment: transfer.payment, amount, staff, reverses: transaction });
    } else {
      await wallet.transfer(step, [reversal(transfer, way, amount, staff)]);
    }
    return amount;
  }

  return {
    increase: (money: StaffMoney) => adjust('increase', money),
    decrease: (money: StaffMoney) => adjust('decrease', money),

    cancelTransaction: (cancellation: Cancellation): Promise<{ reversed: Kopecks }> =>
      steps.run(async (step) => {
        const { staff, transaction, cancelPayment, requestKey } = cancellation;
        const done = await recordedOutcome(step, requestKey);
        if (done) return { reversed: kopecks(Number(done.reversed)) };
        const reversed = await reverse(step, cancellation);
        await audit(step, {
          staff,
          action: 'balance.cancel-transaction',
          subject: { kind: 'transaction', id: transaction },
          after: { reversed, to_card: cancelPayment },
          requestKey,
        });
        return { reversed };
      }),
  };
}

export type StaffMoneyService = ReturnType<typeof createStaffMoney>;
