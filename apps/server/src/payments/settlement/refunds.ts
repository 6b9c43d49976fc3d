import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Clock } from '../../platform/clock.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import { chargebackLoss } from '../../wallet/payment-transfers.ts';
import { reversalKey } from '../../wallet/reversal.ts';
import type { WalletService } from '../../wallet/service.ts';
import { type AccountId, accountId, network, type Transfer } from '../../wallet/transfer.ts';
import type { Anomalies } from '../anomalies.ts';
import type { BankReturn } from '../bank.ts';
import type { Banks } from '../banks.ts';
import { fiscalItemFor } from '../fiscal-item.ts';
import { depositKey, refundable, settlementOf } from '../payment.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment } from '../payment-row.ts';
import { acceptedLookMs, acceptedTimeoutMs, retryAt } from '../schedule.ts';
import type { PaymentStore } from '../store.ts';
import type { TellReturned } from '../tell-returned.ts';
import type { Earnings } from './earnings.ts';
import type { Losses } from './losses.ts';
import type { Refund } from './refund-store.ts';

interface Dependencies {
  payments: PaymentStore;
  ledger: WalletStore;
  wallet: WalletService;
  losses: Losses;
  earnings: Earnings;
  banks: Banks;
  anomalies: Anomalies;
  listeners: PaymentListeners;
  dueWork: Pick<DueWork, 'wake'>;
  tellReturned: TellReturned | undefined;
  steps: Steps;
  clock: Clock;
  isFiscal: boolean;
}

export interface NewRefund {
  payment: Payment;
  amount: Kopecks;
  staff: number | null;
  /** The balance transaction that is reversed. */
  reverses: number | null;
  reason?: string | null;
}

/**
 * Captured money on its way back to a card: reserved first, then requested from the bank under its own reference, then
 * booked out of clearing or back to its source. The reference is searched before a repeat, so nothing is returned
 * twice.
 */
export function createRefunds(dependencies: Dependencies) {
  const { payments, ledger, wallet, losses, earnings, banks, anomalies, listeners, dueWork, steps, clock, isFiscal } =
    dependencies;
  const { tellReturned } = dependencies;

  /** The account the money is taken from, and returned to when the bank refuses. */
  const sourceOf = async (step: Step, payment: Payment): Promise<AccountId> =>
    payment.purpose === 'top_up' ? accountId(payment.wallet ?? 0) : ledger.openEarned(step, payment.operation ?? 0);

  function movement(
    kind: 'refund' | 'refunded' | 'refund_refused',
    payment: Payment,
    refund: Refund,
    ends: { from: AccountId; to: AccountId },
  ): Transfer {
    return {
      key: `refund:${refund.id}:${kind}`,
      kind,
      ...ends,
      amount: refund.amount,
      payment: payment.id,
      ...(payment.operation === null ? {} : { operation: payment.operation }),
    };
  }

  async function underWay(step: Step, payment: number): Promise<number> {
    const all = await payments.refunds(payment, step.db);
    return all
      .filter(({ status }) => status === 'asked' || status === 'processing')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** What staff have returned, or are returning. */
  async function byStaff(step: Step, payment: number): Promise<number> {
    const all = await payments.refunds(payment, step.db);
    return all
      .filter(({ staff, status }) => staff !== null && status !== 'failure')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  async function left(step: Step, payment: Payment): Promise<number> {
    return refundable(payment, await underWay(step, payment.id));
  }

  /** What can go back to the card now: a charge has no more than what it has left of its earnings. */
  async function returnable(step: Step, payment: Payment): Promise<number> {
    const all = await left(step, payment);
    return payment.operation === null ? all : Math.min(all, await earnings.leftOf(payment.operation, step));
  }

  /** Staff already took the top-up out of the wallet, so it cannot be returned to the card as well. */
  async function isTakenBack(step: Step, payment: Payment): Promise<boolean> {
    const credited = await ledger.findByKey(step, depositKey(payment.id));
    return credited !== null && ledger.isMade(step, reversalKey(credited.id));
  }

  /** The money of a refused refund is available again: it pays for what was booked as lost in the meantime. */
  async function relieved(step: Step, payment: Payment, { amount }: Refund): Promise<Payment> {
    const chargedBack = await chargebackLoss(step, payment.id);
    if (payment.purpose === 'top_up') {
      // The card got its money back by a chargeback, so the wallet must not have it as well.
      await losses.regain(step, payment, await sourceOf(step, payment), kopecks(Math.min(amount, chargedBack)));
      return payment;
    }
    const isReleased = payment.wanted === 'release';
    const kept = await left(step, payment);
    const total = isReleased ? 0 : (payment.total ?? 0);
    const { refund, regained, lost } = settlementOf({ total, kept, chargedBack });
    // Nothing is refunded here, so all that is left above the total pays for the chargeback.
    await losses.regain(step, payment, network.revenue, kopecks(Math.min(refund + regained, chargedBack)));
    return isReleased ? payment : losses.set(step, payment, kopecks(Math.min(lost, payment.lost)));
  }

  /** Part of the caller's step, which has locked the payment's row. */
  async function ask(step: Step, { payment, amount, staff, reverses, reason = null }: NewRefund): Promise<Refund> {
    if (payment.captured === 0 || payment.method !== 'bank') throw new Refusal('payment_not_captured');
    if (amount > (await returnable(step, payment))) throw new Refusal('refund_too_high');
    if (await isTakenBack(step, payment)) throw new Refusal('already_reversed');
    const refund = await payments.addRefund(step, { payment: payment.id, amount, staff, reverses, reason });
    const account = await ledger.openRefund(
      step,
      payment.id,
      payment.wallet === null ? null : accountId(payment.wallet),
    );
    const aside = movement('refund', payment, refund, { from: await sourceOf(step, payment), to: account });
    await wallet.transfer(step, [
      { ...aside, ...(staff === null ? {} : { staff }), ...(reverses === null ? {} : { reverses }) },
    ]);
    step.afterCommit(() => dueWork.wake('refund'));
    return refund;
  }

  /** What the product returns by itself, as far as the charge has it: a reward may have taken a part. */
  async function askUpTo(step: Step, payment: Payment, wanted: number): Promise<void> {
    const amount = kopecks(Math.min(wanted, wanted > 0 ? await returnable(step, payment) : 0));
    if (amount > 0) await ask(step, { payment, amount, staff: null, reverses: null });
  }

  /**
   * The bank refuses more than it still has, so it may have returned a part by itself in the meantime. That part would
   * have been returned anyway: it is no loss, and only the rest is requested again. The sum falls each time, so this
   * ends.
   */
  async function askForRest(step: Step, payment: Payment, refused: Refund): Promise<Payment> {
    const isAutomatic = refused.staff === null && payment.purpose === 'operation';
    const total = payment.wanted === 'release' ? 0 : (payment.total ?? 0);
    const over = (await left(step, payment)) - total;
    if (!isAutomatic || over <= 0 || over >= refused.amount) return relieved(step, payment, refused);
    await losses.regain(step, payment, network.revenue, kopecks(await chargebackLoss(step, payment.id)));
    const settled = await losses.set(step, payment, kopecks(0));
    await askUpTo(step, settled, over);
    return settled;
  }

  /** What the product returns by itself, the charge's own page and its receipt say. */
  async function tellDriver(step: Step, payment: Payment, { id: ref, staff, amount, reason }: Refund): Promise<void> {
    const { operation, user } = payment;
    if (staff !== null && operation !== null)
      await tellReturned?.(step, user, { operation, ref, amount, to: 'card', reason });
  }

  async function end(
    id: number,
    outcome: 'success' | 'failure',
    bankAnswer: { rrn: string | null; code?: string },
  ): Promise<void> {
    const found = await payments.findRefund(id);
    if (!found) return;
    await steps.run(async (step) => {
      // The payment is locked first, as everywhere, so that two steps cannot deadlock.
      const payment = await payments.lock(step, found.payment);
      const refund = await payments.lockRefund(step, id);
      if (!payment || !refund || refund.status === 'success' || refund.status === 'failure') return;
      const now = clock.now();
      const account = await ledger.openRefund(step, payment.id, null);
      await payments.changeRefund(step, id, {
        status: outcome,
        rrn: bankAnswer.rrn,
        error_code: bankAnswer.code ?? null,
        ended_at: now,
        next_action_at: null,
      });
      if (outcome === 'failure') {
        const to = await sourceOf(step, payment);
        await wallet.transfer(step, [movement('refund_refused', payment, refund, { from: account, to })]);
        await earnings.cover(step, payment, await left(step, payment));
        const details = { amount: refund.amount, code: bankAnswer.code ?? null, invoice: payment.invoice };
        await anomalies.note(step, { kind: 'refund_refused', subject: String(id), payment: payment.id, details });
        await listeners.notify(step, await askForRest(step, payment, refund));
        return;
      }
      await wallet.transfer(step, [movement('refunded', payment, refund, { from: account, to: network.clearing })]);
      const refunded = payment.refunded + refund.amount;
      const isAll = refunded === payment.captured;
      const changes = { refunded, ...(isAll ? { closed_at: now } : {}) };
      // The bank may have reported 'reversed' itself before the refund was found in its list; then only the sum changes.
      const reversed = isAll ? await payments.move(step, payment, 'reversed', changes) : null;
      await tellDriver(step, payment, refund);
      await listeners.notify(step, reversed ?? (await payments.change(step, payment.id, changes)));
    });
  }

  const made = (returns: BankReturn[], refund: Refund) => returns.find(({ ref }) => ref === refund.extRef);

  return {
    left,
    byStaff,
    returnable,
    askUpTo,

    /** A return that the bank made by itself leaves less to return than was requested, or refused, before. */
    async askForExcess(step: Step, payment: Payment): Promise<void> {
      const kept = await left(step, payment);
      const chargedBack = await chargebackLoss(step, payment.id);
      const { refund } = settlementOf({ total: payment.total ?? 0, kept: Math.max(0, kept), chargedBack });
      await askUpTo(step, payment, refund);
    },

    async isUnderWay(step: Step, payment: number): Promise<boolean> {
      const all = await payments.refunds(payment, step.db);
      return all.some(({ status }) => status !== 'failure');
    },

    ask,

    /** The due step of one refund. */
    async run(id: number, claim: number): Promise<void> {
      const refund = await payments.findRefund(id);
      const payment = refund && (await payments.find(refund.payment));
      if (!refund || !payment?.invoice || refund.status === 'success' || refund.status === 'failure') return;
      const now = clock.now();
      const later = (tries: number) =>
        payments.scheduleRefund(id, claim, retryAt(tries, now), { status: 'asked', tries });

      const bank = banks.of(payment);
      const invoiceStatus = await bank.invoiceStatus(payment.invoice);
      if (invoiceStatus.kind !== 'done') {
        const tries = refund.tries + 1;
        return payments.scheduleRefund(id, claim, retryAt(tries, now), { tries });
      }
      const known = made(invoiceStatus.value.returns, refund);
      if (known?.status === 'success') return end(id, 'success', { rrn: known.rrn });
      if (known?.status === 'failure') return end(id, 'failure', { rrn: known.rrn, code: 'REFUSED' });
      const lookAt = new Date(now.getTime() + acceptedLookMs);
      if (known) return payments.scheduleRefund(id, claim, lookAt, { status: 'processing' });
      // The bank got it, but does not list it: it is requested again only when the bank must have dropped it; otherwise
      // it would be returned twice.
      if (refund.status === 'processing') return later(refund.tries + 1);

      const goods = fiscalItemFor(payment, refund.amount, isFiscal);
      // Stored before it is tried, because after a crash the next attempt must know that the bank may have received it.
      await payments.scheduleRefund(id, claim, new Date(now.getTime() + acceptedTimeoutMs), { status: 'processing' });
      const answer = await bank.refund(payment.invoice, {
        amount: refund.amount,
        ref: refund.extRef,
        fiscalItem: goods,
      });
      if (answer.kind === 'done') return payments.scheduleRefund(id, claim, lookAt);
      // A refusal may be caused by an earlier request of ours whose answer was lost, so only the list of returns
      // counts.
      if (answer.kind === 'refused' && refund.tries > 0) return end(id, 'failure', { rrn: null, code: answer.code });
      await later(refund.tries + 1);
    },

    /** Sums up what is being returned or was returned. */
    summary(all: readonly Refund[]): { rrn: string | null; status: string; amount: Kopecks } | null {
      const last = all.at(-1);
      if (!last) return null;
      const amount = all.filter(({ status }) => status !== 'failure').reduce((sum, one) => sum + one.amount, 0);
      return { rrn: last.rrn, status: last.status === 'asked' ? 'processing' : last.status, amount: kopecks(amount) };
    },
  };
}

export type Refunds = ReturnType<typeof createRefunds>;
