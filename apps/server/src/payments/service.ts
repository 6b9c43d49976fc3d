import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Clock } from '../platform/clock.ts';
import { type DueWork, defaultLeaseMs } from '../platform/jobs/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import type { SavedCards } from './cards/saved-cards.ts';
import { isPaymentOver } from './payment.ts';
import type { PaymentListener, PaymentListeners } from './payment-listeners.ts';
import type { Payment } from './payment-row.ts';
import type { Earnings } from './settlement/earnings.ts';
import type { Losses } from './settlement/losses.ts';
import type { Overrides } from './settlement/overrides.ts';
import type { Settlement } from './settlement/settlement.ts';
import type { PaymentStore } from './store.ts';

/**
 * What charging may ask of payments. A payment knows its operation only by id. Of these only `openHold` and `pageOf` refuse:
 * what the bank did is a fact, and so is the total of a charge.
 */
export interface PaymentService {
  /** Called inside the step of every change of a payment: its state, its loss, a hold that is about to expire. */
  onChange(listener: PaymentListener): void;
  ofOperation(operation: number, from?: Step['db']): Promise<Payment | null>;
  /** Whether the user has an open payment, other than for these operations. */
  hasOpen(step: Step, user: number, exceptOperations: readonly number[]): Promise<boolean>;
  /**
   * Part of the step that opens the operation. From the balance the deposit is secured at once (402 when it is too
   * small). For a card the caller must request the bank's page with `pageOf` next; after a crash before that, due
   * work does it.
   * @refuses insufficient_balance, user_not_found, card_not_found, card_expired
   */
  openHold(step: Step, hold: NewHold): Promise<Payment>;
  /**
   * The bank's page of a payment; it is opened if there is none yet. Null when a saved card pays without a page. Refused
   * when the bank does not answer.
   * @refuses bank_away
   */
  pageOf(id: number): Promise<string | null>;
  /**
   * Captures the total; the rest of the deposit is returned. A total of 0 releases everything. It may be called
   * again, with another total too, and never refuses: what the bank did to the money before is a fact, and so is the
   * total. With the same total it is tried again at once.
   */
  capture(step: Step, id: number, total: Kopecks): Promise<Payment>;
  /** For listeners that know the total: adjusts an ended payment to it, without another notification. */
  settle(step: Step, payment: Payment, total: Kopecks): Promise<Payment>;
  /** For listeners of a payment that pays for a finished charge: its loss follows what is kept of its money. */
  recount(step: Step, payment: Payment, total: Kopecks): Promise<Payment>;
  /** Releases the deposit in any state: an unpaid invoice is withdrawn, a hold canceled, a capture refunded. */
  release(step: Step, id: number): Promise<Payment>;
  /** What of an operation's money can still go back. */
  earnedBy(operation: number, step?: Step): Promise<Kopecks>;
  /** The payment as it would be without a state that staff forced. */
  withoutOverride(step: Step, payment: Payment): Promise<Payment>;
  /** The driver returned from the bank, or a user opened the payment: read the bank's status now. */
  lookNow(id: number): Promise<void>;
}

const lookAgainMs = 50;
/** Longer than the bank is given for an answer. */
const mostWaitMs = 15_000;

interface Dependencies {
  payments: PaymentStore;
  settlement: Settlement;
  losses: Losses;
  overrides: Overrides;
  earnings: Pick<Earnings, 'leftOf'>;
  wallet: WalletService;
  cards: Pick<SavedCards, 'choose'>;
  listeners: PaymentListeners;
  runPayment: (id: number, claim: number) => Promise<void>;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
}

export interface NewHold {
  operation: number;
  user: number;
  method: 'bank' | 'bonuses';
  deposit: Kopecks;
  /** The text on the bank's page and the fiscal check: 'Charging at F1234'. */
  description: string;
  /** Where the bank sends the driver afterwards; only for cards. */
  redirectUrl?: string;
  /** The driver agreed that the bank saves the card. */
  savesCard?: boolean;
  /** The saved card that pays; without it the driver pays at the bank's page. */
  card?: number | null;
  /** Only money of a closed party may pay, not the user's own. */
  partyOnly?: boolean;
}

/**
 * What charging may ask of payments. A payment knows its operation only by id and notifies listeners of every change.
 */
export function createPaymentService(dependencies: Dependencies): PaymentService {
  const { payments, settlement, losses, overrides, earnings, wallet, cards, listeners, runPayment, dueWork, clock } =
    dependencies;

  async function locked(step: Step, id: number): Promise<Payment> {
    const payment = await payments.lock(step, id);
    assert(payment, `there is no payment ${id}`);
    return payment;
  }

  function wake(step: Step): void {
    step.afterCommit(() => dueWork.wake('payment'));
  }

  /** The bank is called after the commit; the state stays until it confirms. */
  async function want(
    step: Step,
    payment: Payment,
    wanted: 'capture' | 'release',
    total: Kopecks | null,
  ): Promise<Payment> {
    wake(step);
    return payments.change(step, payment.id, {
      wanted,
      total,
      tries: 0,
      asked_at: null,
      next_action_at: clock.now(),
      // A read of the bank's status that is in progress does not know of this and must not postpone it.
      due_claim: payment.claim + 1,
    });
  }

  /** The same capture is wanted again, after failed attempts: the next one is made now. What the bank has accepted stays asked. */
  async function hasten(step: Step, payment: Payment): Promise<Payment> {
    wake(step);
    return payments.change(step, payment.id, { next_action_at: clock.now(), due_claim: payment.claim + 1 });
  }

  /** The deposit went back before the end, so nothing is left that could pay for the charge. */
  async function loseBonuses(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    return losses.set(step, payment, kopecks(Math.max(0, total - (payment.captured - payment.refunded))));
  }

  /** The charge did not happen after all: what it has left of its earnings returns to the wallet. */
  async function returnBonuses(step: Step, payment: Payment): Promise<Payment> {
    assert(payment.reserve, `payment ${payment.id} has no reserve`);
    const settled = payment.captured;
    const captured = await wallet.correct(step, payment.reserve, { settled, total: kopecks(0) });
    return payments.change(step, payment.id, { captured, total: captured > 0 ? captured : null });
  }

  async function settleBonuses(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    if (payment.state !== 'hold') return payment;
    assert(payment.reserve, `payment ${payment.id} has no reserve`);
    await wallet.settle(step, payment.reserve, total);
    const ended = await payments.move(step, payment, total > 0 ? 'settled' : 'returned', {
      captured: total,
      total: total > 0 ? total : null,
      closed_at: clock.now(),
    });
    assert(ended, 'a hold can be settled and returned');
    await listeners.notify(step, ended);
    return ended;
  }

  /**
   * The total was corrected after the settlement. What was returned may be spent by now; then the shortfall is lost.
   */
  async function correctBonuses(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    assert(payment.reserve, `payment ${payment.id} has no reserve`);
    const taken = await wallet.correct(step, payment.reserve, { settled: payment.captured, total });
    const corrected = await losses.set(step, payment, kopecks(Math.max(0, total - taken)));
    return payments.change(step, corrected.id, { captured: taken, total: taken > 0 ? taken : null });
  }

  async function telling(step: Step, payment: Payment): Promise<Payment> {
    await listeners.notify(step, payment);
    return payment;
  }

  /** A later caller took the claim over and is at the bank: its page is the page of this caller too. */
  async function othersAttempt(id: number, claim: number): Promise<Payment | null> {
    for (let waitedMs = 0; ; waitedMs += lookAgainMs) {
      const payment = await payments.find(id);
      const isTheirs = payment?.state === 'pending' && payment.card === null && payment.claim !== claim;
      if (!isTheirs || waitedMs >= mostWaitMs) return payment;
      await sleep(lookAgainMs);
    }
  }

  return {
    onChange: (listener: PaymentListener) => listeners.listen(listener),

    ofOperation: (operation: number, from?: Step['db']) => payments.ofOperation(operation, from),

    hasOpen: (step: Step, user: number, exceptOperations: readonly number[]) =>
      payments.hasOpen(step, user, exceptOperations),

    async openHold(
      step: Step,
      {
        operation,
        user,
        method,
        deposit,
        description,
        redirectUrl,
        savesCard = false,
        card = null,
        partyOnly = false,
      }: NewHold,
    ): Promise<Payment> {
      const isCard = method === 'bank';
      if (card !== null) await cards.choose(step, user, card);
      const reserved = isCard ? null : await wallet.reserve(step, { operation, user, deposit, partyOnly });
      const payment = await payments.add(step, {
        purpose: 'operation',
        method,
        operation,
        user,
        wallet: reserved?.wallet ?? null,
        reserveAccount: reserved?.account ?? null,
        amount: deposit,
        description,
        redirectUrl: redirectUrl ?? null,
        requestKey: null,
        savesCard,
        card,
        // The caller's own lease: due work takes over only if this process dies before it has the page.
        nextActionAt: isCard ? new Date(clock.now().getTime() + defaultLeaseMs) : null,
      });
      await listeners.notify(step, payment);
      return payment;
    },

    async pageOf(id: number): Promise<string | null> {
      let payment = await payments.find(id);
      if (payment?.state === 'pending') {
        const claim = await payments.claim(id);
        await runPayment(id, claim);
        payment = await othersAttempt(id, claim);
      }
      // A saved card needs the bank's page for 3-D Secure only, until it is decided.
      if (payment?.card) return isPaymentOver(payment.state) || payment.state === 'hold' ? null : payment.pageUrl;
      if (!payment || payment.pageUrl === null) throw new Refusal('bank_away');
      return payment.pageUrl;
    },

    async capture(step: Step, id: number, total: Kopecks): Promise<Payment> {
      const payment = await overrides.lift(step, await locked(step, id));
      assert(total <= payment.amount, 'captured more than was set aside');
      if (payment.method === 'bonuses') {
        if (payment.state === 'hold') return settleBonuses(step, payment, total);
        const settle = payment.state === 'success' ? correctBonuses : loseBonuses;
        return telling(step, await settle(step, payment, total));
      }
      const isDecided = isPaymentOver(payment.state) || payment.wanted === 'release';
      if (isDecided) return telling(step, await settlement.settle(step, payment, total));
      if (total === 0) return want(step, payment, 'release', null);
      const isSame = payment.wanted === 'capture' && payment.total === total;
      return isSame ? hasten(step, payment) : want(step, payment, 'capture', total);
    },

    async settle(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
      if (payment.method === 'bonuses') return payment.isOverridden ? loseBonuses(step, payment, total) : payment;
      return settlement.settle(step, payment, total);
    },

    recount: settlement.recount,

    async release(step: Step, id: number): Promise<Payment> {
      const payment = await overrides.lift(step, await locked(step, id));
      if (payment.method === 'bonuses') {
        return payment.state === 'success' ? returnBonuses(step, payment) : settleBonuses(step, payment, kopecks(0));
      }
      if (payment.wanted === 'release') return payment;
      // It has ended, as far as we know. If the bank later reports otherwise, the payment is released then.
      if (isPaymentOver(payment.state) && payment.state !== 'success') {
        return payments.change(step, id, { wanted: 'release' });
      }
      // What staff force afterwards does not stop a refund that has been asked for.
      if (payment.state === 'success') await settlement.returnAll(step, payment);
      return want(step, payment, 'release', null);
    },

    earnedBy: (operation: number, step?: Step) => earnings.leftOf(operation, step),

    withoutOverride: (step: Step, payment: Payment) => overrides.seen(step, payment),

    async lookNow(id: number): Promise<void> {
      await payments.hasten(id);
      dueWork.wake('payment');
    },
  };
}
