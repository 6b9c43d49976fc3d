import { randomUUID } from 'node:crypto';
import type { BalanceEffect } from '@fpay/contract/admin/balance';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Approvals } from '../platform/approvals.ts';
import { type Audit, noRecord, recordedOutcome } from '../platform/audit.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { MadeTransfer, WalletStore } from './ledger.ts';
import { reversal, reversalKey, reversible, wayBack } from './reversal.ts';
import { reversalColour } from './reversal-colour.ts';
import type { WalletService } from './service.ts';
import type { WalletUsers } from './shared-wallet.ts';
import {
  type BalanceAction,
  type Cancellation,
  type Cancelled,
  type MovedMoney,
  onMoneyApprovals,
  type Reversed,
  recipientOf,
  type StaffMoney,
} from './staff-approvals.ts';
import type { StaffLimits } from './staff-limits.ts';
import { rehearse } from './staff-preview.ts';
import { type AccountId, network } from './transfer.ts';

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
  cancelTransaction(cancellation: Cancellation): Promise<Cancelled>;
}

/** The card's side of a top-up, which only payments know. */
export interface TopUpReversals {
  /** Returns a top-up's money from the wallet to its card; refused when that is already in progress. */
  returnToCard(step: Step, topUp: { payment: number; amount: Kopecks; staff: number; reverses: number }): Promise<void>;
  /** Also locks the payment until the step ends. */
  isBeingReturned(step: Step, payment: number): Promise<boolean>;
}

/** The payment's side of a charge from the balance, which only payments know. */
interface ChargeReversals {
  /** Locks the operation and its payment until the step ends. */
  lock(step: Step, operation: number): Promise<void>;
  /** Adds to what has gone back of the payment. */
  returned(step: Step, operation: number, amount: Kopecks): Promise<void>;
}

export interface PaymentSide {
  topUps: TopUpReversals;
  charges: ChargeReversals;
}

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  wallet: WalletService;
  paymentSide: () => PaymentSide;
  audit: Audit;
  approvals: Pick<Approvals, 'on' | 'request'>;
  users: Pick<WalletUsers, 'note'>;
  limits: StaffLimits;
  /** What is taken at once above it needs a second staff member. */
  limit: Kopecks;
}

/** What staff may do with balances: credit, debit and reverse. All of it is recorded. */
export function createStaffMoney({
  steps,
  ledger,
  wallet,
  paymentSide,
  audit,
  approvals,
  users,
  limits,
  limit,
}: Dependencies): StaffMoneyService {
  async function adjust(action: BalanceAction, money: StaffMoney, isLimited: boolean) {
    const { staff, user, amount, requestKey, reason = null } = money;
    const key = `${action}:${requestKey}`;
    const approval = await steps.run(async (step) => {
      if (await ledger.isMade(step, key)) {
        noRecord('repeated');
        return null;
      }
      const earlier = await limits.waiting(step, requestKey);
      if (earlier !== null) return earlier;
      const holder = await othersWallet(step, staff, user);
      const waits = isLimited ? await waitsFor(step, action, money) : null;
      if (waits !== null) return waits;
      await move(step, action, { key, wallet: holder, amount, staff });
      const subject = { kind: 'user', id: user } as const;
      await audit(step, { staff, action: `balance.${action}`, subject, after: { amount }, reason });
      return null;
    });
    return { balance: await wallet.balanceOf(user), approval_id: approval };
  }

  /** What is given counts over 24 hours. What is taken gives nothing away, so only its own sum counts. */
  async function waitsFor(step: Step, action: BalanceAction, money: StaffMoney): Promise<number | null> {
    const { staff, user, amount, requestKey, reason = null } = money;
    const subject = { kind: 'user', id: user } as const;
    if (action === 'increase')
      return limits.count(step, { ...money, reason, way: 'gift', subject, kind: 'increase', payload: {} });
    if (amount <= limit && !(await limits.needsSecondPerson(step, staff, subject))) return null;
    return approvals.request(step, {
      kind: action,
      subject,
      worth: amount,
      recipient: user,
      payload: {},
      reason,
      staff,
      requestKey,
    });
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
    { key, wallet: account, amount, staff }: MovedMoney,
  ): Promise<void> {
    const ends = action === 'increase' ? { from: network.staff, to: account } : { from: account, to: network.staff };
    await wallet.transfer(step, [{ key, kind: 'admin', ...ends, amount, staff }]);
  }

  onMoneyApprovals(approvals, { ledger, limits, refuseOwn, othersWallet, move, reverse, wayOf });

  async function wayOf(step: Step, transaction: number) {
    const transfer = await ledger.find(step, transaction);
    if (!transfer) throw new Refusal('transaction_not_found');
    const way = await endsOf(step, transfer);
    if (!way) throw new Refusal('not_reversible');
    return { transfer, ...way };
  }

  /** Staff decide only about the money of other users. A wallet that they share counts as their own. */
  async function refuseOwn(step: Step, staff: number, wallets: readonly AccountId[]): Promise<void> {
    const own = await ledger.holder(staff, step.db);
    if (own && wallets.includes(own.wallet)) throw new Refusal('own_balance');
  }

  async function endsOf(step: Step, transfer: MadeTransfer): Promise<{ from: AccountId; to: AccountId } | null> {
    const earned = transfer.operation === undefined ? null : await ledger.earned(transfer.operation, step);
    return wayBack(transfer, earned?.account ?? null);
  }

  /** Locks what the reversal depends on, in the order of every step: operation, payment, accounts. */
  async function lockReversal(step: Step, transfer: MadeTransfer): Promise<void> {
    if (transfer.operation !== undefined) await paymentSide().charges.lock(step, transfer.operation);
    if (transfer.kind !== 'deposit' || transfer.payment === undefined) return;
    if (await paymentSide().topUps.isBeingReturned(step, transfer.payment)) throw new Refusal('already_reversed');
  }

  async function reverse(
    step: Step,
    { staff, transaction, cancelPayment, allowPartial }: Omit<Cancellation, 'requestKey' | 'reason'>,
    waitsAs: (user: number | null, amount: Kopecks) => Promise<number | null>,
  ): Promise<Reversed> {
    const { transfer, ...ends } = await wayOf(step, transaction);
    await refuseOwn(step, staff, [ends.from, ends.to]);
    const toCard = cancelPayment && transfer.kind === 'deposit' && transfer.payment !== undefined;
    const recipient = await recipientOf(step, ends, toCard);
    if (recipient !== null) await limits.lock(step, staff, recipient);
    await lockReversal(step, transfer);
    const { from, to } = await wayOf(step, transaction);
    // Both ends are locked from here on, so the sum that is computed now is the sum that is moved below.
    const balance = (await ledger.lock(step, [from, to])).get(from) ?? null;
    if (await ledger.isMade(step, reversalKey(transaction))) throw new Refusal('already_reversed');
    // A charge is returned as far as it was earned and is still there; before its settlement there is nothing.
    const isCharge = transfer.kind === 'operation_payment';
    if (isCharge && balance === 0) throw new Refusal('not_reversible');
    const wanted = isCharge && balance !== null ? balance : transfer.amount;
    const { available, colour } = await reversalColour(step, ledger, { transfer, from, balance });
    const amount = reversible(wanted, available, allowPartial);
    if (amount === null) throw new Refusal('balance_too_small');
    const approval = await waitsAs(recipient, amount);
    if (approval !== null) return { wanted, amount, ends: [from, to], approval };
    if (toCard && transfer.payment !== undefined) {
      const topUp = { payment: transfer.payment, amount, staff, reverses: transaction };
      await paymentSide().topUps.returnToCard(step, topUp);
    } else {
      await wallet.transfer(step, reversal(transfer, { from, to }, amount, staff, colour(amount)));
    }
    if (isCharge && transfer.operation !== undefined)
      await paymentSide().charges.returned(step, transfer.operation, amount);
    // The record names the transaction; the logs of the users whose money moved name the reversal.
    for (const account of [from, to]) {
      for (const user of (await ledger.usersOf(account, step.db))?.users ?? [])
        await users.note(step, user, `staff ${staff}`, `transaction ${transaction} reversed: ${amount} kopecks`);
    }
    return { wanted, amount, ends: [from, to], approval: null };
  }

  return {
    give: (money: StaffMoney) => adjust('increase', money, true),
    take: (money: StaffMoney) => adjust('decrease', money, true),
    increase: (money: StaffMoney) => adjust('increase', money, false),
    decrease: (money: StaffMoney) => adjust('decrease', money, false),

    preview: (action, { staff, user, amount }) =>
      rehearse(
        steps,
        async (step) => [await othersWallet(step, staff, user)],
        async (step) => {
          const account = await othersWallet(step, staff, user);
          const subject = { kind: 'user', id: user } as const;
          const isAbove =
            action === 'increase'
              ? await limits.isAbove(step, { staff, user, amount, subject })
              : amount > limit || (await limits.needsSecondPerson(step, staff, subject));
          await move(step, action, { key: `preview:${randomUUID()}`, wallet: account, amount, staff });
          return { wanted: amount, amount, wallets: [account], needsApproval: isAbove };
        },
      ),

    previewCancel: (cancellation) =>
      rehearse(
        steps,
        async (step) => {
          const transfer = await ledger.find(step, cancellation.transaction);
          const way = transfer && (await endsOf(step, transfer));
          return way ? [way.from, way.to] : [];
        },
        async (step) => {
          const { staff } = cancellation;
          let needsApproval = false;
          const { wanted, amount, ends } = await reverse(step, cancellation, async (user, sum) => {
            const subject = { kind: 'transaction', id: cancellation.transaction } as const;
            needsApproval = await (user === null
              ? limits.needsSecondPerson(step, staff, subject)
              : limits.isAbove(step, { staff, user, amount: sum, subject }));
            return null;
          });
          const transfer = await ledger.find(step, cancellation.transaction);
          const toCard = cancellation.cancelPayment && transfer?.kind === 'deposit';
          return { wanted, amount, wallets: ends, toCard, needsApproval };
        },
      ),

    cancelTransaction: (cancellation) =>
      steps.run(async (step) => {
        const { staff, transaction, cancelPayment, allowPartial, requestKey, reason = null } = cancellation;
        const done = await recordedOutcome(step, requestKey);
        if (done) return { reversed: kopecks(Number(done.reversed)), approval_id: null };
        const earlier = await limits.waiting(step, requestKey);
        if (earlier !== null) return { reversed: kopecks(0), approval_id: earlier };
        const subject = { kind: 'transaction', id: transaction } as const;
        const payload = { cancel_payment: cancelPayment, allow_partial: allowPartial };
        let recipient: number | null = null;
        const { amount, approval } = await reverse(step, cancellation, async (user, sum) => {
          recipient = user;
          const asked = { staff, subject, kind: 'reversal', payload, reason, requestKey } as const;
          if (user !== null) return limits.count(step, { ...asked, way: 'reversal', amount: sum, user });
          // What goes to the network gives nothing away.
          if (!(await limits.needsSecondPerson(step, staff, subject))) return null;
          return approvals.request(step, { ...asked, worth: sum, recipient: null });
        });
        if (approval !== null) return { reversed: kopecks(0), approval_id: approval };
        const after = { reversed: amount, to_card: cancelPayment };
        const said = { reason, ...(recipient !== null && { person: recipient }) };
        await audit(step, { staff, action: 'balance.cancel-transaction', subject, after, ...said, requestKey });
        return { reversed: amount, approval_id: null };
      }),
  };
}
