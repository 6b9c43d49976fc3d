import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Steps } from '../platform/step.ts';
import type { Anomalies } from './anomalies.ts';
import type { Bank, BankAnswer } from './bank.ts';
import type { Changed } from './changed.ts';
import { goodsFor } from './goods.ts';
import type { Losses } from './losses.ts';
import type { NewsDesk } from './news.ts';
import { dueAction, isTooSmall } from './payment.ts';
import type { Refunds } from './refunds.ts';
import {
  acceptedLookMs,
  holdEndsAt,
  holdWarningAt,
  invoiceLifeMs,
  isForgotten,
  nextPollAt,
  retryAt,
} from './schedule.ts';
import type { Changes, Payment, PaymentStore } from './store.ts';

interface Dependencies {
  payments: PaymentStore;
  refunds: Refunds;
  bank: Bank;
  losses: Losses;
  desk: NewsDesk;
  anomalies: Anomalies;
  changed: Changed;
  steps: Steps;
  clock: Clock;
  log: Logger;
  isFiscal: boolean;
}

/** Nobody waits for a page that could not be opened for this long: the driver has been told and may try again. */
const openingPatienceMs = 2 * 60_000;
const openingPauseMs = 15_000;
const warnAgainMs = 60 * 60_000;
/** The fiscal register needs seconds; after so many looks it is taken to have none. */
const mostFiscalLooks = 10;

export const referenceOf = (payment: number) => `FPAY-${payment}`;

/**
 * Does the next step of a card payment at the bank. What is wanted stands in the row before it is tried, the bank's news are
 * read before anything is asked of it, and every outcome is written with what is due then: a crash anywhere only repeats a look.
 */
export function createPaymentRunner(dependencies: Dependencies) {
  const { payments, refunds, bank, losses, desk, anomalies, changed, steps, clock, log, isFiscal } = dependencies;
  const goods = (payment: Payment, amount: Kopecks) => goodsFor(payment, amount, isFiscal);
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms);

  async function change(payment: Payment, changes: Changes): Promise<void> {
    await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      // Somebody else got here first, with news of their own: theirs stand.
      if (!locked || locked.state !== payment.state || locked.wanted !== payment.wanted) return;
      const now = await payments.change(step, payment.id, changes);
      if (now.holdStatus !== locked.holdStatus || now.lost !== locked.lost) await changed.tell(step, now);
    });
  }

  async function open(payment: Payment, claim: number): Promise<void> {
    const answer = await bank.open({
      reference: referenceOf(payment.id),
      amount: payment.amount,
      kind: payment.purpose === 'operation' ? 'hold' : 'debit',
      description: payment.description,
      redirectUrl: payment.redirectUrl,
      validSeconds: invoiceLifeMs / 1000,
      goods: goods(payment, payment.amount),
    });
    if (answer.kind === 'done') return keepInvoice(payment, claim, answer.value);
    const isLate = clock.now().getTime() - payment.createdAt.getTime() > openingPatienceMs;
    if (answer.kind === 'refused' || isLate) return close(payment, 'failure', { failure_reason: answer.reason });
    await payments.schedule(payment.id, claim, inMs(openingPauseMs));
  }

  async function keepInvoice(payment: Payment, claim: number, opened: { invoice: string; pageUrl: string }) {
    const now = clock.now();
    const kept = await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      if (locked?.state !== 'pending' || locked.claim !== claim) return false;
      const opening = await payments.change(step, payment.id, {
        status: 'created',
        is_uncertain: false,
        invoice_id: opened.invoice,
        page_url: opened.pageUrl,
        opened_at: now,
        expires_at: inMs(invoiceLifeMs),
        next_action_at: locked.wanted === 'release' ? now : nextPollAt(now, inMs(invoiceLifeMs), now),
      });
      await changed.tell(step, opening);
      return true;
    });
    // Two opened one page each; the driver gets the first, and nobody can pay the other.
    if (!kept) await bank.remove(opened.invoice);
  }

  /** The payment ends without the bank's word: there is nothing at the bank that could say one. */
  async function close(payment: Payment, state: 'failure' | 'expired', changes: Changes = {}): Promise<void> {
    const ended = { status: state, is_uncertain: false, closed_at: clock.now(), next_action_at: null };
    await change(payment, { ...ended, ...changes });
  }

  async function wait(payment: Payment, claim: number): Promise<void> {
    const now = clock.now();
    const next = nextPollAt(payment.openedAt ?? now, payment.expiresAt ?? now, now);
    if (next) return payments.schedule(payment.id, claim, next);
    // The bank keeps quiet about expiry; its time and the grace are over.
    await close(payment, 'expired');
  }

  /** Nobody will pay this invoice any more. If somebody just did, the news say so and the hold is let go instead. */
  async function withdraw(payment: Payment, claim: number, invoice: string): Promise<void> {
    const answer = await bank.remove(invoice);
    if (answer.kind === 'done') return close(payment, 'expired');
    await failed(payment, claim, answer);
  }

  async function capture(payment: Payment, claim: number, invoice: string): Promise<void> {
    const total = payment.total ?? payment.amount;
    if (clock.now() >= holdEndsAt(payment.heldAt ?? payment.createdAt)) return giveUp(payment, 'the hold has ended');
    if (!isForgotten(payment.askedAt, clock.now())) return lookAgain(payment, claim);
    if (payment.askedAt !== null) return failed(payment, claim, { kind: 'unknown', reason: 'accepted, but not done' });
    const answer = await bank.finalize(invoice, total, goods(payment, total));
    if (answer.kind === 'done') return accepted(payment, claim);
    if (answer.kind === 'refused' && isTooSmall(answer.code)) return giveUp(payment, answer.reason);
    await failed(payment, claim, answer);
  }

  async function release(payment: Payment, claim: number, invoice: string): Promise<void> {
    if (!isForgotten(payment.askedAt, clock.now())) return lookAgain(payment, claim);
    if (payment.askedAt !== null) return failed(payment, claim, { kind: 'unknown', reason: 'accepted, but not done' });
    const answer = await bank.cancel(invoice);
    if (answer.kind === 'done') return accepted(payment, claim);
    await failed(payment, claim, answer);
  }

  /** Accepted is not done. Most banks are done by the time we ask. */
  async function accepted(payment: Payment, claim: number): Promise<void> {
    await payments.schedule(payment.id, claim, inMs(acceptedLookMs), { asked_at: clock.now() });
    const { invoice } = payment;
    if (invoice !== null) await readNews(payment, invoice);
  }

  const lookAgain = (payment: Payment, claim: number) => payments.schedule(payment.id, claim, inMs(acceptedLookMs));

  async function failed(payment: Payment, claim: number, answer: BankAnswer): Promise<void> {
    const tries = payment.tries + 1;
    if (answer.kind === 'refused') {
      log.warn(
        { payment: payment.id, wanted: payment.wanted, bankCode: answer.code, reason: answer.reason },
        'bank refused a capture or release',
      );
    }
    await payments.schedule(payment.id, claim, retryAt(tries, clock.now()), { tries, asked_at: null });
  }

  /** The sum will never come: it is booked as lost, and the driver's hold is let go. */
  async function giveUp(payment: Payment, reason: string): Promise<void> {
    await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      if (locked?.state !== 'hold' || locked.wanted !== 'capture') return;
      await losses.set(step, locked, locked.total ?? locked.amount);
      const given = {
        wanted: 'release',
        tries: 0,
        asked_at: null,
        failure_reason: reason,
        next_action_at: clock.now(),
      };
      await changed.tell(step, await payments.change(step, locked.id, given));
    });
  }

  /** Day 7 of a hold that nobody has asked to capture: whoever charges must settle now, or the money is gone on day 9. */
  async function warn(payment: Payment, claim: number): Promise<void> {
    const heldAt = payment.heldAt ?? payment.createdAt;
    const warningAt = holdWarningAt(heldAt);
    if (clock.now() < warningAt) return payments.schedule(payment.id, claim, warningAt);
    await steps.run(async (step) => {
      const subject = String(payment.id);
      const details = { held_at: heldAt.toISOString(), ends_at: holdEndsAt(heldAt).toISOString() };
      await anomalies.note(step, { kind: 'hold_ending', subject, payment: payment.id, details });
      await changed.tell(step, payment);
    });
    await payments.schedule(payment.id, claim, inMs(warnAgainMs));
  }

  /** Captured money that nobody wants goes back whole, as a refund with a name of its own. */
  async function refundAll(payment: Payment): Promise<void> {
    await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      if (!locked || dueAction(locked.state, locked.wanted) !== 'refundAll') return;
      const left = await refunds.left(step, locked);
      if (left > 0) await refunds.ask(step, { payment: locked, amount: kopecks(left), staff: null, reverses: null });
      await payments.change(step, locked.id, { next_action_at: null });
    });
  }

  /** Nothing is to be done but to keep the number of the fiscal check, once the register has one. */
  async function rest(payment: Payment, claim: number, invoice: string): Promise<void> {
    const isAwaited = isFiscal && payment.state === 'success' && payment.fiscal === null;
    if (!isAwaited || payment.tries >= mostFiscalLooks) return payments.schedule(payment.id, claim, null);
    const answer = await bank.fiscalCheck(invoice);
    const check = answer.kind === 'done' ? answer.value : null;
    if (check) {
      const kept = { fiscal_number: check.number, fiscal_url: check.url };
      return payments.schedule(payment.id, claim, null, kept);
    }
    await payments.schedule(payment.id, claim, inMs(acceptedLookMs * 2 ** payment.tries), { tries: payment.tries + 1 });
  }

  /** Null when the bank could not be asked. */
  async function readNews(payment: Payment, invoice: string): Promise<Payment | null> {
    const answer = await bank.news(invoice);
    if (answer.kind === 'done') return steps.run((step) => desk.apply(step, payment.id, answer.value));
    await steps.run((step) => desk.noteSilence(step, payment.id));
    return null;
  }

  /** The bank cannot be asked: nothing is assumed, the same step is due again later. */
  async function unanswered(payment: Payment, claim: number): Promise<void> {
    const now = clock.now();
    const action = dueAction(payment.state, payment.wanted);
    if (action === 'capture' && now >= holdEndsAt(payment.heldAt ?? payment.createdAt)) {
      return giveUp(payment, 'the hold has ended');
    }
    if (action === 'wait') {
      const next = nextPollAt(payment.openedAt ?? now, payment.expiresAt ?? now, now);
      return payments.schedule(payment.id, claim, next ?? retryAt(4, now));
    }
    const tries = payment.tries + 1;
    await payments.schedule(payment.id, claim, retryAt(tries, now), { tries });
  }

  async function act(payment: Payment, claim: number, invoice: string): Promise<void> {
    switch (dueAction(payment.state, payment.wanted)) {
      case 'wait':
        return wait(payment, claim);
      case 'withdraw':
        return withdraw(payment, claim, invoice);
      case 'capture':
        return capture(payment, claim, invoice);
      case 'release':
        return release(payment, claim, invoice);
      case 'warn':
        return warn(payment, claim);
      case 'refundAll':
        return refundAll(payment);
      case 'rest':
        return rest(payment, claim, invoice);
    }
  }

  return async function runPayment(id: number, claim: number): Promise<void> {
    const payment = await payments.find(id);
    if (!payment || payment.claim !== claim || payment.method !== 'bank') return;
    if (payment.state === 'pending') {
      if (payment.wanted === 'release') return close(payment, 'expired');
      return open(payment, claim);
    }
    if (payment.invoice === null) return payments.schedule(id, claim, null);
    if (!(await readNews(payment, payment.invoice))) return unanswered(payment, claim);
    // Whoever was told may have asked for something: the row says what is due now, and whose it is to do.
    const current = await payments.find(id);
    if (current?.claim === claim) await act(current, claim, payment.invoice);
  };
}
