import type { Kopecks } from '@fpay/contract/money';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Steps } from '../../platform/step.ts';
import { traceOperation } from '../../platform/watching/tracing.ts';
import type { Anomalies } from '../anomalies.ts';
import type { BankAnswer } from '../bank.ts';
import type { Banks } from '../banks.ts';
import { referenceOf, type SavedCardPayment } from '../cards/saved-card-payment.ts';
import type { SavedCards } from '../cards/saved-cards.ts';
import { fiscalItemFor } from '../fiscal-item.ts';
import { dueAction, isPageOpen } from '../payment.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment, PaymentChanges } from '../payment-row.ts';
import {
  acceptedLookMs,
  holdEndsAt,
  holdWarningAt,
  invoiceLifeMs,
  isForgotten,
  nextPollAt,
  retryAt,
} from '../schedule.ts';
import type { Losses } from '../settlement/losses.ts';
import type { Refunds } from '../settlement/refunds.ts';
import type { PaymentStore } from '../store.ts';
import type { BankStatusHandler } from './apply-bank-status.ts';

interface Dependencies {
  payments: PaymentStore;
  refunds: Refunds;
  banks: Banks;
  cards: Pick<SavedCards, 'walletIdOf'>;
  savedCardPayment: SavedCardPayment;
  losses: Losses;
  bankStatusHandler: BankStatusHandler;
  anomalies: Anomalies;
  listeners: PaymentListeners;
  steps: Steps;
  clock: Clock;
  log: Logger;
  isFiscal: boolean;
}

/** After this time the page is not opened any more; the driver got a refusal and may try again. */
const openingTimeoutMs = 2 * 60_000;
const openingPauseMs = 15_000;
const warnAgainMs = 60 * 60_000;
/** The fiscal register needs seconds; after this many polls it is assumed to have no check. */
const mostFiscalLooks = 10;

/**
 * Does the next step of a card payment at the bank. The wanted action is in the row before it is tried, the bank's
 * status is read before any call, and every outcome is written with the next due time. After a crash anywhere only a
 * read is repeated.
 */
export function createDuePayment(dependencies: Dependencies) {
  const { payments, refunds, banks, losses, bankStatusHandler, anomalies, listeners, steps } = dependencies;
  const { cards, savedCardPayment, clock, log, isFiscal } = dependencies;
  const goods = (payment: Payment, amount: Kopecks) => fiscalItemFor(payment, amount, isFiscal);
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms);

  async function open(payment: Payment, claim: number): Promise<void> {
    const answer = await banks.of(payment).open({
      reference: referenceOf(payment.id),
      amount: payment.amount,
      kind: payment.purpose === 'operation' ? 'hold' : 'debit',
      description: payment.description,
      redirectUrl: payment.redirectUrl,
      validSeconds: invoiceLifeMs / 1000,
      fiscalItem: goods(payment, payment.amount),
      walletId: payment.savesCard ? cards.walletIdOf(payment.user) : null,
    });
    if (answer.kind === 'done') return keepInvoice(payment, answer.value);
    const isLate = clock.now().getTime() - payment.createdAt.getTime() > openingTimeoutMs;
    if (answer.kind === 'refused' || isLate) return close(payment, 'invoiceRefused', { failure_reason: answer.reason });
    await payments.schedule(payment.id, claim, inMs(openingPauseMs));
  }

  async function keepInvoice(payment: Payment, opened: { invoice: string; pageUrl: string }) {
    const now = clock.now();
    const kept = await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      // Under any claim: if a later one voided it, each of several callers would withdraw its own page.
      if (locked?.state !== 'pending') return false;
      const opening = await payments.move(step, locked, 'invoiceOpened', {
        is_uncertain: false,
        invoice_id: opened.invoice,
        page_url: opened.pageUrl,
        opened_at: now,
        expires_at: inMs(invoiceLifeMs),
        next_action_at: locked.wanted === 'release' ? now : nextPollAt(now, inMs(invoiceLifeMs), now),
      });
      if (opening) await listeners.notify(step, opening);
      return opening !== null;
    });
    // Several steps opened a page each; the others must not be paid.
    if (!kept) await banks.of(payment).remove(opened.invoice);
  }

  /** The payment ends without a status of the bank, because there is no invoice at the bank that could still have one. */
  async function close(
    payment: Payment,
    event: 'invoiceRefused' | 'withdrawn' | 'timedOut',
    changes: PaymentChanges = {},
  ): Promise<void> {
    await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      // Another step changed it in the meantime, and that change stands.
      if (!locked || locked.state !== payment.state || locked.wanted !== payment.wanted) return;
      const ended = { is_uncertain: false, closed_at: clock.now(), next_action_at: null, ...changes };
      const closed = await payments.move(step, locked, event, ended);
      if (closed) await listeners.notify(step, closed);
    });
  }

  async function wait(payment: Payment, claim: number): Promise<void> {
    const now = clock.now();
    const next = nextPollAt(payment.openedAt ?? now, payment.expiresAt ?? now, now);
    if (next) return payments.schedule(payment.id, claim, next);
    // The bank does not report expiry; the life of the invoice and the grace period are over.
    await close(payment, 'timedOut');
  }

  /**
   * The invoice must not be paid any more. If it was paid at this moment, the status shows it and the hold is released
   * instead.
   */
  async function withdraw(payment: Payment, claim: number, invoice: string): Promise<void> {
    const answer = await banks.of(payment).remove(invoice);
    if (answer.kind === 'done') return close(payment, 'withdrawn');
    await failed(payment, claim, answer);
  }

  /** Staff forced a state while the page was open. A payment that comes all the same is a fact, and takes the override back. */
  async function withdrawPage(payment: Payment, claim: number, invoice: string): Promise<void> {
    const answer = await banks.of(payment).remove(invoice);
    if (answer.kind === 'done') return payments.schedule(payment.id, claim, null, { bank_status: 'expired' });
    await failed(payment, claim, answer);
  }

  async function capture(payment: Payment, claim: number, invoice: string): Promise<void> {
    const total = payment.total ?? payment.amount;
    if (clock.now() >= holdEndsAt(payment)) return giveUp(payment, 'the hold has ended');
    if (!isForgotten(payment.askedAt, clock.now())) return lookAgain(payment, claim);
    if (payment.askedAt !== null) return failed(payment, claim, { kind: 'unknown', reason: 'accepted, but not done' });
    const answer = await banks.of(payment).finalize(invoice, total, goods(payment, total));
    if (answer.kind === 'done') return accepted(payment, claim);
    if (answer.kind === 'refused' && answer.meaning === 'too_small') return giveUp(payment, answer.reason);
    await failed(payment, claim, answer);
  }

  async function release(payment: Payment, claim: number, invoice: string): Promise<void> {
    if (!isForgotten(payment.askedAt, clock.now())) return lookAgain(payment, claim);
    if (payment.askedAt !== null) return failed(payment, claim, { kind: 'unknown', reason: 'accepted, but not done' });
    const answer = await banks.of(payment).cancel(invoice);
    if (answer.kind === 'done') return accepted(payment, claim);
    await failed(payment, claim, answer);
  }

  /** Accepted does not mean done. Most banks have finished by the time we ask. */
  async function accepted(payment: Payment, claim: number): Promise<void> {
    await payments.schedule(payment.id, claim, inMs(acceptedLookMs), { asked_at: clock.now() });
    const { invoice } = payment;
    if (invoice !== null) await readBankStatus(payment, invoice);
  }

  const lookAgain = (payment: Payment, claim: number) => payments.schedule(payment.id, claim, inMs(acceptedLookMs));

  async function failed(payment: Payment, claim: number, answer: BankAnswer): Promise<void> {
    const tries = payment.tries + 1;
    if (answer.kind === 'refused') {
      log.warn(
        { payment: payment.id, wanted: payment.wanted, bankCode: answer.code, reason: answer.reason },
        'capture or release refused',
      );
    }
    await payments.schedule(payment.id, claim, retryAt(tries, clock.now()), { tries, asked_at: null });
  }

  /** The sum can never be captured: it is booked as lost, and the driver's hold is released. */
  async function giveUp(payment: Payment, reason: string): Promise<void> {
    await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      if (locked?.state !== 'hold' || locked.wanted !== 'capture') return;
      await losses.set(step, locked, locked.total ?? locked.amount);
      const given = {
        wanted: 'release' as const,
        tries: 0,
        asked_at: null,
        failure_reason: reason,
        next_action_at: clock.now(),
      };
      await listeners.notify(step, await payments.change(step, locked.id, given));
    });
  }

  /** Day 7 of a hold whose capture was not requested: charging must settle now, because the hold expires on day 9. */
  async function warn(payment: Payment, claim: number): Promise<void> {
    const heldAt = payment.heldAt ?? payment.createdAt;
    const warningAt = holdWarningAt(payment);
    if (clock.now() < warningAt) return payments.schedule(payment.id, claim, warningAt);
    await steps.run(async (step) => {
      const subject = String(payment.id);
      const details = { held_at: heldAt.toISOString(), ends_at: holdEndsAt(payment).toISOString() };
      await anomalies.note(step, { kind: 'hold_ending', subject, payment: payment.id, details });
      await listeners.notify(step, payment);
    });
    await payments.schedule(payment.id, claim, inMs(warnAgainMs));
  }

  /** Captured money that is not wanted is returned completely, as a refund with its own reference. */
  async function refundAll(payment: Payment): Promise<void> {
    await steps.run(async (step) => {
      const locked = await payments.lock(step, payment.id);
      if (!locked || dueAction(locked.state, locked.wanted) !== 'refundAll') return;
      await refunds.askUpTo(step, locked, await refunds.left(step, locked));
      await payments.change(step, locked.id, { next_action_at: null });
    });
  }

  /** Nothing is left to do except to store the number of the fiscal check, once the register has one. */
  async function rest(payment: Payment, claim: number, invoice: string): Promise<void> {
    const isAwaited = isFiscal && payment.state === 'success' && payment.fiscal === null;
    if (!isAwaited || payment.tries >= mostFiscalLooks) return payments.schedule(payment.id, claim, null);
    const answer = await banks.of(payment).fiscalCheck(invoice);
    const check = answer.kind === 'done' ? answer.value : null;
    if (check) {
      const kept = { fiscal_number: check.number, fiscal_url: check.url };
      return payments.schedule(payment.id, claim, null, kept);
    }
    await payments.schedule(payment.id, claim, inMs(acceptedLookMs * 2 ** payment.tries), { tries: payment.tries + 1 });
  }

  /** Null when the bank did not answer. */
  async function readBankStatus(payment: Payment, invoice: string): Promise<Payment | null> {
    const answer = await banks.of(payment).invoiceStatus(invoice);
    if (answer.kind === 'done') return steps.run((step) => bankStatusHandler.apply(step, payment.id, answer.value));
    await steps.run((step) => bankStatusHandler.noteSilence(step, payment.id));
    return null;
  }

  /** The bank did not answer: nothing is assumed, and the same step is due again later. */
  async function unanswered(payment: Payment, claim: number): Promise<void> {
    const now = clock.now();
    const action = dueAction(payment.state, payment.wanted);
    if (action === 'capture' && now >= holdEndsAt(payment)) return giveUp(payment, 'the hold has ended');
    if (action === 'wait') {
      const next = nextPollAt(payment.openedAt ?? now, payment.expiresAt ?? now, now);
      return payments.schedule(payment.id, claim, next ?? retryAt(4, now));
    }
    const tries = payment.tries + 1;
    await payments.schedule(payment.id, claim, retryAt(tries, now), { tries });
  }

  async function act(payment: Payment, claim: number, invoice: string): Promise<void> {
    if (payment.isOverridden && isPageOpen(payment)) return withdrawPage(payment, claim, invoice);
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
    // Also when the bank's callback is faster and nothing is left to change here.
    if (payment.operation !== null) traceOperation(payment.operation);
    if (payment.state === 'pending') {
      const isAsked = payment.cardAskedAt !== null;
      if (isAsked) await savedCardPayment.search(payment, claim, close);
      else if (payment.wanted === 'release') return close(payment, 'withdrawn');
      else if (payment.card === null) return open(payment, claim);
      else await savedCardPayment.charge(payment, claim, close);
    }
    // A saved card has its invoice by now, unless the bank's answer is still missing.
    const opened = payment.state === 'pending' ? await payments.find(id) : payment;
    if (!opened || opened.state === 'pending') return;
    const { invoice } = opened;
    if (invoice === null) return payments.schedule(id, claim, null);
    if (!(await readBankStatus(opened, invoice))) return unanswered(opened, claim);
    // A listener may have requested something, so the row is read again: it has what is due now, and whether the claim
    // is still ours.
    const current = await payments.find(id);
    if (current?.claim === claim) await act(current, claim, invoice);
  };
}
