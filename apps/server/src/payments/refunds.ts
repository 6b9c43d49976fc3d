import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Clock } from '../platform/clock.ts';
import type { DueWork } from '../platform/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { reversalKey } from '../wallet/reversal.ts';
import type { WalletService } from '../wallet/service.ts';
import type { WalletStore } from '../wallet/store.ts';
import { type AccountId, accountId, network, type Transfer } from '../wallet/transfer.ts';
import type { Anomalies } from './anomalies.ts';
import type { Bank, BankReturn } from './bank.ts';
import { chargebackLoss } from './booked.ts';
import type { Changed } from './changed.ts';
import { goodsFor } from './goods.ts';
import type { Losses } from './losses.ts';
import { depositKey, refundable, settlementOf } from './payment.ts';
import { acceptedLookMs, acceptedPatienceMs, retryAt } from './schedule.ts';
import type { Payment, PaymentStore, Refund } from './store.ts';

interface Dependencies {
  payments: PaymentStore;
  ledger: WalletStore;
  wallet: WalletService;
  losses: Losses;
  bank: Bank;
  anomalies: Anomalies;
  changed: Changed;
  dueWork: Pick<DueWork, 'wake'>;
  steps: Steps;
  clock: Clock;
  isFiscal: boolean;
}

export interface NewRefund {
  payment: Payment;
  amount: Kopecks;
  staff: number | null;
  /** The balance transaction that is undone. */
  reverses: number | null;
}

/**
 * Captured money on its way back to a card: set aside first, then asked of the bank under a name of its own, then booked out
 * of clearing or back to where it came from. The name is looked for before it is asked again, so nothing goes back twice.
 */
export function createRefunds(dependencies: Dependencies) {
  const { payments, ledger, wallet, losses, bank, anomalies, changed, dueWork, steps, clock, isFiscal } = dependencies;

  /** Where the money is taken from, and where it returns to when the bank refuses. */
  const sourceOf = (payment: Payment): AccountId =>
    payment.purpose === 'top_up' ? accountId(payment.wallet ?? 0) : network.revenue;

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

  async function left(step: Step, payment: Payment): Promise<number> {
    return refundable(payment, await underWay(step, payment.id));
  }

  /** Staff took the top-up out of the wallet already: from there it cannot go to the card as well. */
  async function isTakenBack(step: Step, payment: Payment): Promise<boolean> {
    const credited = await ledger.findByKey(step, depositKey(payment.id));
    return credited !== null && ledger.isMade(step, reversalKey(credited.id));
  }

  /** The money of a refused refund is here again: it pays for what was booked as lost in the meantime. */
  async function relieved(step: Step, payment: Payment, { amount }: Refund): Promise<Payment> {
    const chargedBack = await chargebackLoss(step, payment.id);
    if (payment.purpose === 'top_up') {
      // The card has its money back by a chargeback, so the wallet must not have it as well.
      await losses.regain(step, payment, sourceOf(payment), kopecks(Math.min(amount, chargedBack)));
      return payment;
    }
    const isReleased = payment.wanted === 'release';
    const kept = await left(step, payment);
    const { regained, lost } = settlementOf({ total: isReleased ? 0 : (payment.total ?? 0), kept, chargedBack });
    await losses.regain(step, payment, network.revenue, regained);
    return isReleased ? payment : losses.set(step, payment, kopecks(Math.min(lost, payment.lost)));
  }

  /** Part of the caller's step, which holds the payment's row. */
  async function ask(step: Step, { payment, amount, staff, reverses }: NewRefund): Promise<Refund> {
    if (payment.captured === 0 || payment.method !== 'bank') throw new Refusal('payment_not_captured');
    if (amount > (await left(step, payment))) throw new Refusal('refund_too_high');
    if (await isTakenBack(step, payment)) throw new Refusal('already_reversed');
    const refund = await payments.addRefund(step, { payment: payment.id, amount, staff, reverses });
    const account = await ledger.openRefund(
      step,
      payment.id,
      payment.wallet === null ? null : accountId(payment.wallet),
    );
    const aside = movement('refund', payment, refund, { from: sourceOf(payment), to: account });
    await wallet.transfer(step, [
      { ...aside, ...(staff === null ? {} : { staff }), ...(reverses === null ? {} : { reverses }) },
    ]);
    step.afterCommit(() => dueWork.wake('refund'));
    return refund;
  }

  /**
   * The bank refuses more than it still has, so it may have returned a part by itself in the meantime. That part came out of
   * what was to go back anyway: it is no loss, and only the rest is requested again. The sum falls each time, so this ends.
   */
  async function askForRest(step: Step, payment: Payment, refused: Refund): Promise<Payment> {
    const isAutomatic = refused.staff === null && payment.purpose === 'operation';
    const total = payment.wanted === 'release' ? 0 : (payment.total ?? 0);
    const over = (await left(step, payment)) - total;
    if (!isAutomatic || over <= 0 || over >= refused.amount) return relieved(step, payment, refused);
    await losses.regain(step, payment, network.revenue, kopecks(await chargebackLoss(step, payment.id)));
    const settled = await losses.set(step, payment, kopecks(0));
    await ask(step, { payment: settled, amount: kopecks(over), staff: null, reverses: null });
    return settled;
  }

  async function end(
    id: number,
    outcome: 'success' | 'failure',
    told: { rrn: string | null; code?: string },
  ): Promise<void> {
    const found = await payments.findRefund(id);
    if (!found) return;
    await steps.run(async (step) => {
      // The payment first, as everywhere: two who want both wait for each other only once.
      const payment = await payments.lock(step, found.payment);
      const refund = await payments.lockRefund(step, id);
      if (!payment || !refund || refund.status === 'success' || refund.status === 'failure') return;
      const now = clock.now();
      const account = await ledger.openRefund(step, payment.id, null);
      await payments.changeRefund(step, id, {
        status: outcome,
        rrn: told.rrn,
        error_code: told.code ?? null,
        ended_at: now,
        next_action_at: null,
      });
      if (outcome === 'failure') {
        await wallet.transfer(step, [
          movement('refund_refused', payment, refund, { from: account, to: sourceOf(payment) }),
        ]);
        const details = { amount: refund.amount, code: told.code ?? null, invoice: payment.invoice };
        await anomalies.note(step, { kind: 'refund_refused', subject: String(id), payment: payment.id, details });
        await changed.tell(step, await askForRest(step, payment, refund));
        return;
      }
      await wallet.transfer(step, [movement('refunded', payment, refund, { from: account, to: network.clearing })]);
      const refunded = payment.refunded + refund.amount;
      const isAll = refunded === payment.captured;
      const next = await payments.change(step, payment.id, {
        refunded,
        ...(isAll ? { status: 'reversed', closed_at: now } : {}),
      });
      await changed.tell(step, next);
    });
  }

  const made = (returns: BankReturn[], refund: Refund) => returns.find(({ ref }) => ref === refund.extRef);

  return {
    left,

    /** A return that the bank made by itself leaves less to give back than was requested, or refused, before. */
    async askForExcess(step: Step, payment: Payment): Promise<void> {
      const kept = await left(step, payment);
      const chargedBack = await chargebackLoss(step, payment.id);
      const { refund } = settlementOf({ total: payment.total ?? 0, kept: Math.max(0, kept), chargedBack });
      if (refund > 0) await ask(step, { payment, amount: refund, staff: null, reverses: null });
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

      const news = await bank.news(payment.invoice);
      if (news.kind !== 'done') {
        const tries = refund.tries + 1;
        return payments.scheduleRefund(id, claim, retryAt(tries, now), { tries });
      }
      const known = made(news.value.returns, refund);
      if (known?.status === 'success') return end(id, 'success', { rrn: known.rrn });
      if (known?.status === 'failure') return end(id, 'failure', { rrn: known.rrn, code: 'REFUSED' });
      const lookAt = new Date(now.getTime() + acceptedLookMs);
      if (known) return payments.scheduleRefund(id, claim, lookAt, { status: 'processing' });
      // Told to the bank, but not in its list: asked for again only once it must have been forgotten, or it would go back twice.
      if (refund.status === 'processing') return later(refund.tries + 1);

      const goods = goodsFor(payment, refund.amount, isFiscal);
      // Stored before it is tried: whoever goes on after a crash must know that the bank may have heard of it.
      await payments.scheduleRefund(id, claim, new Date(now.getTime() + acceptedPatienceMs), { status: 'processing' });
      const answer = await bank.refund(payment.invoice, { amount: refund.amount, ref: refund.extRef, goods });
      if (answer.kind === 'done') return payments.scheduleRefund(id, claim, lookAt);
      // A refusal may be the echo of a request of ours whose answer got lost: only the list of returns is believed.
      if (answer.kind === 'refused' && refund.tries > 0) return end(id, 'failure', { rrn: null, code: answer.code });
      await later(refund.tries + 1);
    },

    /** Adds up what is on its way back or already there. */
    summary(all: readonly Refund[]): { rrn: string | null; status: string; amount: Kopecks } | null {
      const last = all.at(-1);
      if (!last) return null;
      const amount = all.filter(({ status }) => status !== 'failure').reduce((sum, one) => sum + one.amount, 0);
      return { rrn: last.rrn, status: last.status === 'asked' ? 'processing' : last.status, amount: kopecks(amount) };
    },
  };
}

export type Refunds = ReturnType<typeof createRefunds>;
