import assert from 'node:assert/strict';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Clock } from '../platform/clock.ts';
import { type DueWork, defaultLeaseMs } from '../platform/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import type { Changed, PaymentListener } from './changed.ts';
import type { Losses } from './losses.ts';
import { isOver, type PaymentState } from './payment.ts';
import type { Settlement } from './settlement.ts';
import type { Payment, PaymentStore } from './store.ts';

interface Dependencies {
  payments: PaymentStore;
  settlement: Settlement;
  losses: Losses;
  wallet: WalletService;
  changed: Changed;
  runPayment: (id: number, claim: number) => Promise<void>;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
}

export interface NewHold {
  operation: number;
  user: number;
  method: 'bank' | 'bonuses';
  deposit: Kopecks;
  /** What the bank's page and the fiscal check call it: 'Charging at F1234'. */
  description: string;
  /** Where the bank sends the driver afterwards; only for cards. */
  redirectUrl?: string;
}

/** What whoever charges asks of money. Payments know operations only by their ids and tell of every change. */
export function createPaymentService(dependencies: Dependencies) {
  const { payments, settlement, losses, wallet, changed, runPayment, dueWork, clock } = dependencies;

  async function locked(step: Step, id: number): Promise<Payment> {
    const payment = await payments.lock(step, id);
    assert(payment, `there is no payment ${id}`);
    return payment;
  }

  function wake(step: Step): void {
    step.afterCommit(() => dueWork.wake('payment'));
  }

  /** The bank is asked after the commit; until it confirms, the state stays what it is. */
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
      // A look at the bank that is under way knows nothing of this and must not put it off.
      due_claim: payment.claim + 1,
    });
  }

  async function settleBonuses(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    if (payment.state !== 'hold') return payment;
    assert(payment.reserve, `payment ${payment.id} has no reserve`);
    await wallet.settle(step, payment.reserve, total);
    const state: PaymentState = total > 0 ? 'success' : 'reversed';
    const ended = await payments.change(step, payment.id, {
      status: state,
      captured: total,
      total: total > 0 ? total : null,
      closed_at: clock.now(),
    });
    await changed.tell(step, ended);
    return ended;
  }

  /** The total was corrected after the settlement. What was returned may be spent by now: then the shortfall is lost. */
  async function correctBonuses(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
    assert(payment.reserve, `payment ${payment.id} has no reserve`);
    const taken = await wallet.correct(step, payment.reserve, { settled: payment.captured, total });
    const corrected = await losses.set(step, payment, kopecks(total - taken));
    return payments.change(step, corrected.id, { captured: taken, total: taken > 0 ? taken : null });
  }

  async function telling(step: Step, payment: Payment): Promise<Payment> {
    await changed.tell(step, payment);
    return payment;
  }

  return {
    /** Called inside the step of every change of a payment: its state, its loss, a hold that is about to end. */
    onChange: (listener: PaymentListener) => changed.listen(listener),

    find: (id: number) => payments.find(id),
    ofOperation: (operation: number, from?: Step['db']) => payments.ofOperation(operation, from),

    /**
     * Part of the step that opens the operation. From the balance the deposit is secured at once (402 when it is not there);
     * for a card `pageOf` must be asked for the bank's page next, and a crash before that is made up for by due work.
     */
    async openHold(
      step: Step,
      { operation, user, method, deposit, description, redirectUrl }: NewHold,
    ): Promise<Payment> {
      const isCard = method === 'bank';
      const reserved = isCard ? null : await wallet.reserve(step, { operation, user, deposit });
      const payment = await payments.add(step, {
        purpose: 'operation',
        method,
        operation,
        user,
        wallet: reserved?.wallet ?? null,
        reserveAccount: reserved?.account ?? null,
        amount: deposit,
        state: isCard ? 'pending' : 'hold',
        description,
        redirectUrl: redirectUrl ?? null,
        requestKey: null,
        // The caller's own lease: due work takes over only if this process dies before it has the page.
        nextActionAt: isCard ? new Date(clock.now().getTime() + defaultLeaseMs) : null,
      });
      await changed.tell(step, payment);
      return payment;
    },

    /** The bank's page of a payment, opening it when there is none yet. Refused when the bank does not answer. */
    async pageOf(id: number): Promise<string> {
      let payment = await payments.find(id);
      if (payment?.state === 'pending') {
        await runPayment(id, await payments.claim(id));
        payment = await payments.find(id);
      }
      if (!payment || payment.pageUrl === null) throw new Refusal('bank_away');
      return payment.pageUrl;
    },

    /**
     * Takes the total; what is left of the deposit goes back. A total of 0 releases everything. May be asked again, with
     * another total too, and never refuses: what the bank did to the money before is a fact, and so is the total.
     */
    async capture(step: Step, id: number, total: Kopecks): Promise<Payment> {
      const payment = await locked(step, id);
      assert(total <= payment.amount, 'captured more than was set aside');
      if (payment.method === 'bonuses') {
        if (payment.state !== 'success') return settleBonuses(step, payment, total);
        return telling(step, await correctBonuses(step, payment, total));
      }
      const isDecided = isOver(payment.state) || payment.wanted === 'release';
      if (isDecided) return telling(step, await settlement.settle(step, payment, total));
      if (total === 0) return want(step, payment, 'release', null);
      const isSame = payment.wanted === 'capture' && payment.total === total;
      return isSame ? payment : want(step, payment, 'capture', total);
    },

    /** For listeners who know the total: brings a payment that is over in line with it, without a further notice. */
    async settle(step: Step, payment: Payment, total: Kopecks): Promise<Payment> {
      if (payment.method === 'bonuses' || payment.isOverridden) return payment;
      return settlement.settle(step, payment, total);
    },

    /** Lets the deposit go, whatever state it is in: an unpaid invoice is withdrawn, a hold canceled, a capture refunded. */
    async release(step: Step, id: number): Promise<Payment> {
      const payment = await locked(step, id);
      if (payment.method === 'bonuses') return settleBonuses(step, payment, kopecks(0));
      if (payment.wanted === 'release') return payment;
      // Over, as far as we know. Should the bank say otherwise later, the payment is released then.
      if (isOver(payment.state) && payment.state !== 'success') {
        return payments.change(step, id, { wanted: 'release' });
      }
      return want(step, payment, 'release', null);
    },

    /** The driver came back from the bank, or somebody looks at the payment: ask the bank now. */
    async lookNow(id: number): Promise<void> {
      await payments.hasten(id);
      dueWork.wake('payment');
    },
  };
}

export type PaymentService = ReturnType<typeof createPaymentService>;
