import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Steps } from '../../platform/step.ts';
import type { Anomalies } from '../anomalies.ts';
import type { Banks } from '../banks.ts';
import { fiscalItemFor } from '../fiscal-item.ts';
import { isPaymentOver } from '../payment.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment, PaymentChanges } from '../payment-row.ts';
import { invoiceLifeMs, nextPollAt } from '../schedule.ts';
import type { PaymentStore } from '../store.ts';
import { isUnknownToken, type SavedCards } from './saved-cards.ts';

interface Dependencies {
  payments: PaymentStore;
  cards: SavedCards;
  banks: Banks;
  listeners: PaymentListeners;
  anomalies: Anomalies;
  steps: Steps;
  clock: Clock;
  log: Logger;
  isFiscal: boolean;
  /** Whether the bank holds money on a saved card. Where it does not, the deposit is charged and the rest returned. */
  holdsSavedCards: boolean;
}

type Close = (payment: Payment, event: 'invoiceRefused' | 'withdrawn', changes?: PaymentChanges) => Promise<void>;

/** After this time the payment counts as refused. If the bank made it after all, it is found and returned. */
const searchTimeoutMs = 2 * 60_000;
const searchPauseMs = 10_000;
/** Our clock and the bank's may differ by this much. */
const clockToleranceMs = 60_000;

export const referenceOf = (payment: number) => `FPAY-${payment}`;

/** The payment that a reference of ours names; null for any other text. */
export function paymentInReference(reference: string | null): number | null {
  const digits = /^FPAY-(\d{1,15})$/.exec(reference ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * Pays with a saved card. The bank charges at once and detects no repeats, so it is asked once per payment, after that
 * is stored. When its answer is lost, the invoice is searched for by our reference: in the statement, in webhooks and in
 * the nightly reconciliation.
 */
export function createSavedCardPayment(dependencies: Dependencies) {
  const { payments, cards, banks, listeners, anomalies, steps, clock, log, isFiscal, holdsSavedCards } = dependencies;
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Stores that the bank is being asked; false when another step has asked or ended the payment meanwhile. */
  async function markAsked(id: number, claim: number): Promise<boolean> {
    return steps.run(async (step) => {
      const payment = await payments.lock(step, id);
      if (payment?.state !== 'pending' || payment.claim !== claim || payment.cardAskedAt !== null) return false;
      await payments.change(step, id, { card_asked_at: clock.now(), next_action_at: inMs(searchPauseMs) });
      return true;
    });
  }

  /**
   * The payment has this invoice from now on, whatever its state: where it has ended in the meantime, the bank's status
   * decides whether there is money to return.
   */
  async function attach(id: number, found: { invoice: string; pageUrl: string | null }): Promise<void> {
    const now = clock.now();
    await steps.run(async (step) => {
      const payment = await payments.lock(step, id);
      if (!payment) return;
      if (payment.invoice === found.invoice) {
        // The bank's notification was faster than its answer, and only the answer has the page of 3-D Secure.
        if (payment.pageUrl !== null || found.pageUrl === null || isPaymentOver(payment.state)) return;
        await listeners.notify(step, await payments.change(step, id, { page_url: found.pageUrl }));
        return;
      }
      if (payment.invoice !== null) {
        const details = { invoice: found.invoice, ours: payment.invoice };
        await anomalies.note(step, { kind: 'orphan_payment', subject: found.invoice, payment: id, details });
        return;
      }
      const opened = {
        invoice_id: found.invoice,
        page_url: found.pageUrl,
        opened_at: now,
        expires_at: inMs(invoiceLifeMs),
      };
      const next = { next_action_at: nextPollAt(now, inMs(invoiceLifeMs), now) };
      const moved = await payments.move(step, payment, 'invoiceOpened', { ...opened, ...next, is_uncertain: false });
      if (moved) await listeners.notify(step, moved);
      else await payments.change(step, id, { ...opened, next_action_at: now });
    });
  }

  async function searchInStatement(payment: Payment): Promise<string | null> {
    const askedAt = payment.cardAskedAt ?? payment.createdAt;
    const from = new Date(askedAt.getTime() - clockToleranceMs);
    const answer = await banks.of(payment).statement(from, inMs(clockToleranceMs));
    if (answer.kind !== 'done') return null;
    return answer.value.find(({ reference }) => reference === referenceOf(payment.id))?.invoice ?? null;
  }

  async function refuse(payment: Payment, close: Close, reason: string): Promise<void> {
    await close(payment, payment.wanted === 'release' ? 'withdrawn' : 'invoiceRefused', { failure_reason: reason });
  }

  return {
    attach,

    /** The bank was asked and its answer never came: finds the invoice, or gives up after a while. Never asks again. */
    async search(payment: Payment, claim: number, close: Close): Promise<void> {
      const invoice = await searchInStatement(payment);
      if (invoice !== null) return attach(payment.id, { invoice, pageUrl: null });
      const askedAt = payment.cardAskedAt ?? payment.createdAt;
      if (clock.now().getTime() - askedAt.getTime() < searchTimeoutMs) {
        return payments.schedule(payment.id, claim, inMs(searchPauseMs));
      }
      log.warn({ payment: payment.id }, 'saved card payment unanswered');
      await refuse(payment, close, 'the bank did not answer');
    },

    async charge(payment: Payment, claim: number, close: Close): Promise<void> {
      const { card } = payment;
      const token = card === null ? null : await cards.tokenOf(card);
      if (card === null || token === null) return refuse(payment, close, 'the saved card was removed');
      if (!(await markAsked(payment.id, claim))) return;
      const answer = await banks.of(payment).payWithCard({
        token,
        reference: referenceOf(payment.id),
        amount: payment.amount,
        // A top-up has no end at which a hold could be captured.
        kind: holdsSavedCards && payment.purpose === 'operation' ? 'hold' : 'debit',
        description: payment.description,
        redirectUrl: payment.redirectUrl,
        fiscalItem: fiscalItemFor(payment, payment.amount, isFiscal),
      });
      if (answer.kind === 'done') return attach(payment.id, answer.value);
      // Not decided: a webhook, the statement or the timeout of the search decides.
      if (answer.kind === 'unknown') return;
      if (isUnknownToken(answer)) await steps.run((step) => cards.forget(step, card));
      await refuse(payment, close, answer.reason);
    },
  };
}

export type SavedCardPayment = ReturnType<typeof createSavedCardPayment>;
