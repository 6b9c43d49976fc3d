import { currency, kopecks } from '@fpay/contract/money';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import type { Step } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import { chargedBack } from '../../wallet/payment-transfers.ts';
import type { WalletService } from '../../wallet/service.ts';
import { accountId, network } from '../../wallet/transfer.ts';
import type { Anomalies } from '../anomalies.ts';
import type { InvoiceStatus } from '../bank.ts';
import type { SavedCards } from '../cards/saved-cards.ts';
import {
  depositKey,
  isPaymentOver,
  isStale,
  nextState,
  type PaymentEvent,
  type PaymentState,
  settlementDue,
} from '../payment.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment, PaymentChanges } from '../payment-row.ts';
import { acceptedLookMs, holdWarningAt } from '../schedule.ts';
import type { Chargebacks } from '../settlement/chargebacks.ts';
import type { Overrides } from '../settlement/overrides.ts';
import type { Refunds } from '../settlement/refunds.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { PaymentStore } from '../store.ts';

interface Dependencies {
  payments: PaymentStore;
  wallet: WalletService;
  anomalies: Anomalies;
  chargebacks: Chargebacks;
  overrides: Overrides;
  settlement: Settlement;
  refunds: Refunds;
  cards: Pick<SavedCards, 'learn'>;
  ledger: WalletStore;
  listeners: PaymentListeners;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
  log: Logger;
  isFiscal: boolean;
}

/** Applies a bank status to a payment once, from any source and in any order. */
export function createBankStatusHandler(dependencies: Dependencies) {
  const {
    payments,
    wallet,
    anomalies,
    chargebacks,
    overrides,
    settlement,
    refunds,
    cards,
    ledger,
    listeners,
    dueWork,
    clock,
    log,
    isFiscal,
  } = dependencies;

  /**
   * The sum of the returns in the bank's answer that we did not request: a dispute, or a return made in the merchant's
   * account at the bank.
   */
  async function foreignReturns(step: Step, payment: Payment, bankStatus: InvoiceStatus): Promise<number> {
    const ours = await payments.refunds(payment.id, step.db);
    const returned = bankStatus.returns.filter((back) => back.status === 'success');
    const asked = returned.filter((back) => ours.some(({ extRef }) => extRef === back.ref));
    const sum = (list: { amount: number | null }[]) => list.reduce((total, one) => total + (one.amount ?? 0), 0);
    const listed = sum(returned) - sum(asked);
    // The list may lack a return that the bank's own sum includes; but that may be one that is in progress at our
    // request.
    const unlisted = ours.filter(
      ({ status, extRef }) =>
        (status === 'asked' || status === 'processing') && !asked.some((back) => back.ref === extRef),
    );
    const gone = bankStatus.finalAmount === null ? 0 : payment.captured - bankStatus.finalAmount;
    return Math.min(Math.max(listed, gone - sum(asked) - sum(unlisted)), payment.captured);
  }

  async function bookChargeback(step: Step, payment: Payment, bankStatus: InvoiceStatus): Promise<Payment> {
    const booked = await chargedBack(step, payment.id);
    const amount = (await foreignReturns(step, payment, bankStatus)) - booked;
    if (amount <= 0) return payment;
    const subject = `${payment.id}:${booked + amount}`;
    const details = { amount, invoice: payment.invoice };
    await chargebacks.book(step, payment, { amount: kopecks(amount), booked });
    await anomalies.note(step, { kind: 'chargeback', subject, payment: payment.id, details });
    return payments.change(step, payment.id, { refunded: payment.refunded + amount });
  }

  /** The bank has captured the money: its operation has earned it, or it belongs to the driver's wallet. */
  async function bookCapture(step: Step, payment: Payment, captured: number): Promise<void> {
    const amount = kopecks(captured);
    if (amount === 0) return;
    if (payment.purpose === 'top_up') {
      const to = accountId(payment.wallet ?? 0);
      const key = depositKey(payment.id);
      await wallet.transfer(step, [
        { key, kind: 'deposit', from: network.clearing, to, amount, payment: payment.id, recipient: payment.user },
      ]);
      return;
    }
    const key = `payment:${payment.id}:capture`;
    const operation = payment.operation ?? 0;
    const to = await ledger.openEarned(step, operation);
    await wallet.transfer(step, [
      { key, kind: 'capture', from: network.clearing, to, amount, payment: payment.id, operation },
    ]);
  }

  /** The bank completed a top-up after its user had deleted the account, so the money is returned to the card. */
  async function returnIfLeft(step: Step, payment: Payment): Promise<void> {
    if (payment.purpose !== 'top_up' || !(await ledger.hasLeft(step, payment.user))) return;
    const amount = kopecks(await refunds.left(step, payment));
    if (amount > 0) await refunds.ask(step, { payment, amount, staff: null, reverses: null });
    log.warn({ payment: payment.id, amount }, 'top-up of a deleted account returned');
  }

  /** The captured sum: what is left of it now, plus what was returned since. */
  function capturedIn(payment: Payment, bankStatus: InvoiceStatus): number {
    const returned = bankStatus.returns.reduce(
      (sum, back) => sum + (back.status === 'success' ? (back.amount ?? 0) : 0),
      0,
    );
    return bankStatus.finalAmount === null ? (payment.total ?? payment.amount) : bankStatus.finalAmount + returned;
  }

  async function checkCapture(step: Step, payment: Payment, captured: number): Promise<void> {
    const expected = payment.total ?? payment.amount;
    if (captured === expected) return;
    const details = { captured, expected, invoice: payment.invoice };
    await anomalies.note(step, {
      kind: 'amount_mismatch',
      subject: `capture:${payment.id}`,
      payment: payment.id,
      details,
    });
  }

  /**
   * A hold or a payment that arrives when it is no longer expected is returned at once; a top-up is accepted at any
   * time.
   */
  function isUnwanted(payment: Payment, from: PaymentState, to: PaymentState): boolean {
    const isPaid = to === 'hold' || to === 'success';
    return payment.purpose === 'operation' && isPaid && (payment.wanted === 'release' || isPaymentOver(from));
  }

  function dueAfter(payment: Payment, to: PaymentState, isReleased: boolean): Date | null | undefined {
    const now = clock.now();
    if (isReleased && (to === 'hold' || to === 'success')) return now;
    if (to === 'hold') return payment.wanted === null ? holdWarningAt({ ...payment, heldAt: now }) : now;
    // The fiscal register needs a moment before the check is available.
    if (to === 'success' && isFiscal) return new Date(now.getTime() + acceptedLookMs);
    // Still open: the caller decides when to look again.
    return isPaymentOver(to) ? null : undefined;
  }

  async function move(step: Step, payment: Payment, event: PaymentEvent, bankStatus: InvoiceStatus) {
    const to = nextState(payment.state, event);
    if (to === null) return null;
    const now = clock.now();
    const isReleased = isUnwanted(payment, payment.state, to);
    const captured = to === 'success' ? capturedIn(payment, bankStatus) : payment.captured;
    if (to === 'success') {
      await bookCapture(step, payment, captured);
      if (!isReleased) await checkCapture(step, payment, captured);
    }
    const due = dueAfter(payment, to, isReleased);
    const moved = await payments.move(step, payment, event, {
      captured,
      ...(to === 'hold' ? { held_at: payment.heldAt ?? now } : {}),
      ...(isReleased ? { wanted: 'release', tries: 0, asked_at: null } : {}),
      ...(isPaymentOver(to) ? { closed_at: now, tries: 0 } : {}),
      ...(due === undefined ? {} : { next_action_at: due }),
    });
    if (due && due <= now) step.afterCommit(() => dueWork.wake('payment'));
    return moved;
  }

  /** Data that applies in any state: the card, the reason of a failure, and that the bank answers. */
  function commonChanges(payment: Payment, bankStatus: InvoiceStatus): PaymentChanges {
    return {
      is_uncertain: bankStatus.status === null,
      bank_status: bankStatus.status ?? payment.bankStatus,
      bank_modified_at: bankStatus.modifiedAt ?? payment.bankModifiedAt,
      ...(bankStatus.failureReason === null ? {} : { failure_reason: bankStatus.failureReason.slice(0, 500) }),
      ...(bankStatus.errorCode === null ? {} : { error_code: bankStatus.errorCode.slice(0, 50) }),
      ...(bankStatus.card
        ? {
            masked_pan: bankStatus.card.maskedPan,
            rrn: bankStatus.card.rrn ?? payment.rrn,
            approval_code: bankStatus.card.approvalCode,
          }
        : {}),
    };
  }

  /** What the bank did after staff had forced a state is a fact, and is applied to what it had before. */
  async function withoutOverride(step: Step, locked: Payment, bankStatus: InvoiceStatus): Promise<Payment> {
    const isNew = bankStatus.status !== null && bankStatus.status !== locked.bankStatus;
    return isNew && !isStale(locked.bankModifiedAt, bankStatus) ? overrides.lift(step, locked) : locked;
  }

  /** An answer about another sum or currency is not about this payment, so nothing of it is applied. */
  async function isOfThisSum(step: Step, { id, amount, invoice }: Payment, bankStatus: InvoiceStatus) {
    if (bankStatus.amount === amount && bankStatus.currency === currency.isoNumber) return true;
    const details = { amount: bankStatus.amount, currency: bankStatus.currency, invoice };
    await anomalies.note(step, { kind: 'amount_mismatch', subject: `invoice:${id}`, payment: id, details });
    log.error({ payment: id, ...details }, 'bank amount mismatched');
    return false;
  }

  /** First the status: along the table of payments, or not at all. */
  async function followStatus(step: Step, payment: Payment, bankStatus: InvoiceStatus): Promise<Payment> {
    const changed = await payments.change(step, payment.id, commonChanges(payment, bankStatus));
    const reported = reportedStatus(bankStatus);
    const moved = reported === null || reported === 'created' ? null : await move(step, changed, reported, bankStatus);
    if (!moved && reported !== null && reported !== payment.state) {
      log.warn({ payment: payment.id, state: payment.state, reported }, 'unexpected bank status');
    }
    return moved ?? changed;
  }

  /** Then the money that the bank took back or that has no owner any more. */
  async function bookReturns(step: Step, before: Payment, now: Payment, bankStatus: InvoiceStatus): Promise<Payment> {
    if (now.state === 'success' && before.state !== 'success') await returnIfLeft(step, now);
    return now.captured > 0 ? bookChargeback(step, now, bankStatus) : now;
  }

  /** Last what the charge cost. */
  async function settle(step: Step, before: Payment, now: Payment): Promise<Payment> {
    const due = settlementDue(before, now);
    if (due === 'settle') return settlement.settle(step, now, now.total ?? now.amount);
    if (due === 'returnExcess') await refunds.askForExcess(step, now);
    return now;
  }

  return {
    /** Returns the payment after the change. */
    async apply(step: Step, id: number, bankStatus: InvoiceStatus): Promise<Payment | null> {
      const locked = await payments.lock(step, id);
      if (locked?.method !== 'bank') return locked;
      const payment = await withoutOverride(step, locked, bankStatus);
      if (!(await isOfThisSum(step, payment, bankStatus)) || isStale(payment.bankModifiedAt, bankStatus))
        return payment;
      const followed = await followStatus(step, payment, bankStatus);
      await cards.learn(step, followed, bankStatus);
      const booked = await bookReturns(step, payment, followed, bankStatus);
      const settled = await settle(step, payment, booked);
      if (settled.holdStatus !== payment.holdStatus) await listeners.notify(step, settled);
      return settled;
    },

    /** The bank did not answer: the last known state still holds, but callers should not rely on it. */
    async noteSilence(step: Step, id: number): Promise<void> {
      const payment = await payments.lock(step, id);
      if (!payment || payment.holdStatus === 'unknown' || isPaymentOver(payment.state)) return;
      await listeners.notify(step, await payments.change(step, id, { is_uncertain: true }));
    },
  };
}

/** 'Reversed' with something left means 'returned in part': the rest is still ours. */
function reportedStatus({ status, finalAmount }: InvoiceStatus): InvoiceStatus['status'] {
  return status === 'reversed' && (finalAmount ?? 0) > 0 ? 'success' : status;
}

export type BankStatusHandler = ReturnType<typeof createBankStatusHandler>;
