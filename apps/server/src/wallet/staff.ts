import { randomUUID } from 'node:crypto';
import type { BalanceEffect } from '@fpay/contract/admin/balance';
import type { Endpoint } from '@fpay/contract/endpoint';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import type { ApprovalHandler, Approvals } from '../platform/approvals.ts';
import { type Audit, noRecord, recordedOutcome } from '../platform/audit.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { MadeTransfer, WalletStore } from './ledger.ts';
import { reversal, reversalKey, reversible, wayBack } from './reversal.ts';
import type { WalletService } from './service.ts';
import type { WalletUsers } from './shared-wallet.ts';
import { rehearse } from './staff-preview.ts';
import { type AccountId, network } from './transfer.ts';

export type BalanceAction = 'increase' | 'decrease';

export interface MovedStaffMoney {
  balance: Kopecks;
  /** The request that waits for approval; null: the money has moved. */
  approval_id: number | null;
}

/** What staff may do to balances, all of it on record and once per request key. Staff decide about the money of others only. */
export interface StaffMoneyService {
  /**
   * What a person orders. A sum above the limit waits for a second staff member under `approval_id`.
   * @refuses user_not_found, own_balance
   */
  give(money: StaffMoney): Promise<MovedStaffMoney>;
  /** @refuses user_not_found, own_balance, insufficient_balance */
  take(money: StaffMoney): Promise<MovedStaffMoney>;
  /**
   * Without the limit: for demo data and the command line.
   * @refuses user_not_found, own_balance
   */
  increase(money: StaffMoney): Promise<MovedStaffMoney>;
  /** @refuses user_not_found, own_balance, insufficient_balance */
  decrease(money: StaffMoney): Promise<MovedStaffMoney>;
  /** What giving or taking would change, without doing it. */
  preview(action: BalanceAction, money: Omit<StaffMoney, 'requestKey'>): Promise<BalanceEffect>;
  previewCancel(cancellation: Omit<Cancellation, 'requestKey'>): Promise<BalanceEffect>;
  /** @refuses transaction_not_found, not_reversible, already_reversed, balance_too_small, own_balance */
  cancelTransaction(cancellation: Cancellation): Promise<{ reversed: Kopecks }>;
}

/** The card's side of a top-up, which only payments know. */
export interface TopUpReversals {
  /** Returns a top-up's money from the wallet to its card; refused when that is already in progress. */
  returnToCard(step: Step, topUp: { payment: number; amount: Kopecks; staff: number; reverses: number }): Promise<void>;
  /** Also locks the payment until the step ends. */
  isBeingReturned(step: Step, payment: number): Promise<boolean>;
}

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  wallet: WalletService;
  topUps: TopUpReversals;
  audit: Audit;
  approvals: Pick<Approvals, 'on' | 'request'>;
  users: Pick<WalletUsers, 'note'>;
  /** A sum above it needs a second staff member. */
  limit: Kopecks;
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

/** What staff may do with balances: credit, debit and reverse. All of it is recorded. */
export function createStaffMoney({
  steps,
  ledger,
  wallet,
  topUps,
  audit,
  approvals,
  users,
  limit,
}: Dependencies): StaffMoneyService {
  async function adjust(action: BalanceAction, money: StaffMoney, most: Kopecks | null) {
    const { staff, user, amount, requestKey } = money;
    const key = `${action}:${requestKey}`;
    const approval = await steps.run(async (step) => {
      if (await ledger.isMade(step, key)) {
        noRecord('repeated');
        return null;
      }
      const holder = await othersWallet(step, staff, user);
      if (most !== null && amount > most) {
        const subject = { kind: 'user', id: user } as const;
        return approvals.request(step, {
          kind: action,
          subject,
          worth: amount,
          recipient: user,
          payload: {},
          staff,
          requestKey,
        });
      }
      await move(step, action, { key, wallet: holder, amount, staff });
      await audit(step, { staff, action: `balance.${action}`, subject: { kind: 'user', id: user }, after: { amount } });
      return null;
    });
    return { balance: await wallet.balanceOf(user), approval_id: approval };
  }

  async function othersWallet(step: Step, staff: number, user: number): Promise<AccountId> {
    const holder = await ledger.holder(user, step.db);
    if (!holder) throw new Refusal('user_not_found');
    await refuseOwn(step, staff, [holder.wallet]);
    return holder.wallet;
  }

  async function move(
    step: Step,
    action: BalanceAction,
    { key, wallet: account, amount, staff }: { key: string; wallet: AccountId; amount: Kopecks; staff: number },
  ): Promise<void> {
    const ends = action === 'increase' ? { from: network.staff, to: account } : { from: account, to: network.staff };
    await wallet.transfer(step, [{ key, kind: 'admin', ...ends, amount, staff }]);
  }

  /** What was asked for happens when a second staff member approves it. The account is looked up again, and refused again. */
  const waiting = (action: BalanceAction, call: Pick<Endpoint, 'access'>): ApprovalHandler<BalanceAction> => ({
    calls: [call],
    area: 'balance',
    async refuseDecider(step, { recipient }, decider) {
      const holder = recipient === null ? null : await ledger.holder(recipient, step.db);
      if (holder) await refuseOwn(step, decider, [holder.wallet]);
    },
    async carryOut(step, { id, recipient, worth }, decider) {
      const account = await othersWallet(step, decider, recipient ?? 0);
      await move(step, action, { key: `approval:${id}`, wallet: account, amount: worth, staff: decider });
    },
  });
  approvals.on('increase', waiting('increase', increaseBalance));
  approvals.on('decrease', waiting('decrease', decreaseBalance));

  /** Staff decide only about the money of other users. A wallet that they share counts as their own. */
  async function refuseOwn(step: Step, staff: number, wallets: readonly AccountId[]): Promise<void> {
    const own = await ledger.holder(staff, step.db);
    if (own && wallets.includes(own.wallet)) throw new Refusal('own_balance');
  }

  /** Only the revenue of an operation can be reversed; before its settlement there is none. */
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
    { staff, transaction, cancelPayment, allowPartial }: Omit<Cancellation, 'requestKey'>,
  ): Promise<Kopecks> {
    const transfer = await ledger.find(step, transaction);
    if (!transfer) throw new Refusal('transaction_not_found');
    const way = wayBack(transfer);
    if (!way) throw new Refusal('not_reversible');
    await refuseOwn(step, staff, [way.from, way.to]);
    const wanted = await amountOf(step, transfer);
    // The payment's row is locked before the accounts, as everywhere.
    if (transfer.kind === 'deposit' && transfer.payment !== undefined) {
      if (await topUps.isBeingReturned(step, transfer.payment)) throw new Refusal('already_reversed');
    }
    // Both ends are locked from here on, so the sum that is computed now is the sum that is moved below.
    const balances = await ledger.lock(step, [way.from, way.to]);
    if (await ledger.isMade(step, reversalKey(transaction))) throw new Refusal('already_reversed');
    const amount = reversible(wanted, balances.get(way.from) ?? null, allowPartial);
    if (amount === null) throw new Refusal('balance_too_small');
    if (cancelPayment && transfer.kind === 'deposit' && transfer.payment !== undefined) {
      await topUps.returnToCard(step, { payment: transfer.payment, amount, staff, reverses: transaction });
    } else {
      await wallet.transfer(step, [reversal(transfer, way, amount, staff)]);
    }
    // The record names the transaction; the logs of the users whose money moved name the reversal.
    for (const account of [way.from, way.to]) {
      for (const user of (await ledger.usersOf(account, step.db))?.users ?? [])
        await users.note(step, user, `staff ${staff}`, `transaction ${transaction} reversed: ${amount} kopecks`);
    }
    return amount;
  }

  return {
    give: (money: StaffMoney) => adjust('increase', money, limit),
    take: (money: StaffMoney) => adjust('decrease', money, limit),
    increase: (money: StaffMoney) => adjust('increase', money, null),
    decrease: (money: StaffMoney) => adjust('decrease', money, null),

    preview: (action, { staff, user, amount }) =>
      rehearse(
        steps,
        async (step) => [await othersWallet(step, staff, user)],
        async (step) => {
          const account = await othersWallet(step, staff, user);
          await move(step, action, { key: `preview:${randomUUID()}`, wallet: account, amount, staff });
          return { wanted: amount, amount, wallets: [account], needsApproval: amount > limit };
        },
      ),

    previewCancel(cancellation) {
      const endsOf = async (step: Step): Promise<AccountId[]> => {
        const transfer = await ledger.find(step, cancellation.transaction);
        const way = transfer && wayBack(transfer);
        return way ? [way.from, way.to] : [];
      };
      return rehearse(steps, endsOf, async (step) => {
        const amount = await reverse(step, cancellation);
        const transfer = await ledger.find(step, cancellation.transaction);
        const wanted = transfer ? await amountOf(step, transfer) : amount;
        const toCard = cancellation.cancelPayment && transfer?.kind === 'deposit';
        return { wanted, amount, wallets: await endsOf(step), toCard };
      });
    },

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
