import { currency, kopecks } from '@fpay/contract/money';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import type { WalletStore } from '../wallet/store.ts';
import { accountId, network } from '../wallet/transfer.ts';
import type { Anomalies } from './anomalies.ts';
import type { BankNews } from './bank.ts';
import { chargedBack } from './booked.ts';
import type { Changed } from './changed.ts';
import type { Chargebacks } from './chargebacks.ts';
import { depositKey, isOver, isStale, nextState, type PaymentState } from './payment.ts';
import type { Refunds } from './refunds.ts';
import { acceptedLookMs, holdWarningAt } from './schedule.ts';
import type { Settlement } from './settlement.ts';
import type { Changes, Payment, PaymentStore } from './store.ts';

interface Dependencies {
  payments: PaymentStore;
  wallet: WalletService;
  anomalies: Anomalies;
  chargebacks: Chargebacks;
  settlement: Settlement;
  refunds: Refunds;
  ledger: WalletStore;
  changed: Changed;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
  log: Logger;
  isFiscal: boolean;
}

/** Applies what the bank says to a payment, once, whoever brought it and in whatever order. */
export function createNewsDesk(dependencies: Dependencies) {
  const {
    payments,
    wallet,
    anomalies,
    chargebacks,
    settlement,
    refunds,
    ledger,
    changed,
    dueWork,
    clock,
    log,
    isFiscal,
  } = dependencies;

  /** The sum of the returns in the bank's answer that we did not request: a dispute, or the bank's own cabinet. */
  async function foreignReturns(step: Step, payment: Payment, news: BankNews): Promise<number> {
    const ours = await payments.refunds(payment.id, step.db);
    const returned = news.returns.filter((back) => back.status === 'success');
    const asked = returned.filter((back) => ours.some(({ extRef }) => extRef === back.ref));
    const sum = (list: { amount: number | null }[]) => list.reduce((total, one) => total + (one.amount ?? 0), 0);
    const listed = sum(returned) - sum(asked);
    // The list may be short of what the bank's own sum says has gone; but that may be what is on its way at our request.
    const unlisted = ours.filter(
      ({ status, extRef }) =>
        (status === 'asked' || status === 'processing') && !asked.some((back) => back.ref === extRef),
    );
    const gone = news.finalAmount === null ? 0 : payment.captured - news.finalAmount;
    return Math.min(Math.max(listed, gone - sum(asked) - sum(unlisted)), payment.captured);
  }

  async function bookChargeback(step: Step, payment: Payment, news: BankNews): Promise<Payment> {
    const booked = await chargedBack(step, payment.id);
    const amount = (await foreignReturns(step, payment, news)) - booked;
    if (amount <= 0) return payment;
    const subject = `${payment.id}:${booked + amount}`;
    const details = { amount, invoice: payment.invoice };
    await chargebacks.book(step, payment, { amount: kopecks(amount), booked });
    await anomalies.note(step, { kind: 'chargeback', subject, payment: payment.id, details });
    return payments.change(step, payment.id, { refunded: payment.refunded + amount });
  }

  /** The bank has taken the money: it is ours now, or the driver's wallet's. */
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
    const operation = payment.operation === null ? {} : { operation: payment.operation };
    await wallet.transfer(step, [
      { key, kind: 'capture', from: network.clearing, to: network.revenue, amount, payment: payment.id, ...operation },
    ]);
  }

  /** The bank completed a top-up after its user had deleted the account, so the money goes back to the card. */
  async function returnIfLeft(step: Step, payment: Payment): Promise<void> {
    if (payment.purpose !== 'top_up' || !(await ledger.hasLeft(step, payment.user))) return;
    const amount = kopecks(await refunds.left(step, payment));
    if (amount > 0) await refunds.ask(step, { payment, amount, staff: null, reverses: null });
    log.warn({ payment: payment.id, amount }, 'top-up of a deleted account returned');
  }

  /** What was captured in all: what is left of it now, and what has gone back since. */
  function capturedIn(payment: Payment, news: BankNews): number {
    const returned = news.returns.reduce((sum, back) => sum + (back.status === 'success' ? (back.amount ?? 0) : 0), 0);
    return news.finalAmount === null ? (payment.total ?? payment.amount) : news.finalAmount + returned;
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

  /** A hold or a payment that comes when nobody waits for it any more goes back at once; a top-up is welcome at any time. */
  function isUnwanted(payment: Payment, from: PaymentState, to: PaymentState): boolean {
    const isPaid = to === 'hold' || to === 'success';
    return payment.purpose === 'operation' && isPaid && (payment.wanted === 'release' || isOver(from));
  }

  function dueAfter(payment: Payment, to: PaymentState, isReleased: boolean): Date | null | undefined {
    const now = clock.now();
    if (isReleased && (to === 'hold' || to === 'success')) return now;
    if (to === 'hold') return payment.wanted === null ? holdWarningAt(now) : now;
    // The fiscal register needs a moment before it has a check to show.
    if (to === 'success' && isFiscal) return new Date(now.getTime() + acceptedLookMs);
    // Still open: whoever looked decides when to look again.
    return isOver(to) ? null : undefined;
  }

  async function move(step: Step, payment: Payment, to: PaymentState, news: BankNews): Promise<Payment> {
    const now = clock.now();
    const isReleased = isUnwanted(payment, payment.state, to);
    const captured = to === 'success' ? capturedIn(payment, news) : payment.captured;
    if (to === 'success') {
      await bookCapture(step, payment, captured);
      if (!isReleased) await checkCapture(step, payment, captured);
    }
    const due = dueAfter(payment, to, isReleased);
    const moved = await payments.change(step, payment.id, {
      status: to,
      captured,
      ...(to === 'hold' ? { held_at: payment.heldAt ?? now } : {}),
      ...(isReleased ? { wanted: 'release', tries: 0, asked_at: null } : {}),
      ...(isOver(to) ? { closed_at: now, tries: 0 } : {}),
      ...(due === undefined ? {} : { next_action_at: due }),
    });
    if (due && due <= now) step.afterCommit(() => dueWork.wake('payment'));
    return moved;
  }

  /** What is said of the payment whatever its state: the card, why it failed, and that the bank does answer. */
  function told(payment: Payment, news: BankNews): Changes {
    return {
      is_uncertain: news.status === null,
      bank_status: news.status ?? payment.bankStatus,
      bank_modified_at: news.modifiedAt ?? payment.bankModifiedAt,
      ...(news.failureReason === null ? {} : { failure_reason: news.failureReason.slice(0, 500) }),
      ...(news.errorCode === null ? {} : { error_code: news.errorCode.slice(0, 50) }),
      ...(news.card
        ? { masked_pan: news.card.maskedPan, rrn: news.card.rrn ?? payment.rrn, approval_code: news.card.approvalCode }
        : {}),
    };
  }

  return {
    /** Gives the payment as it is afterwards. */
    async apply(step: Step, id: number, news: BankNews): Promise<Payment | null> {
      const payment = await payments.lock(step, id);
      if (payment?.method !== 'bank') return payment;
      if (news.amount !== payment.amount || news.currency !== currency.isoNumber) {
        const details = { amount: news.amount, currency: news.currency, invoice: payment.invoice };
        await anomalies.note(step, { kind: 'amount_mismatch', subject: `invoice:${id}`, payment: id, details });
        log.error({ payment: id, ...details }, 'the bank speaks of another sum: nothing moves');
        return payment;
      }
      if (isStale(payment.bankModifiedAt, news)) return payment;

      const before = payment.holdStatus;
      let current = await payments.change(step, id, told(payment, news));
      // 'Reversed' with something left means 'returned in part': the rest is still ours.
      const said = news.status === 'reversed' && (news.finalAmount ?? 0) > 0 ? 'success' : news.status;
      const to = said === null || said === 'created' ? null : nextState(payment.state, said);
      if (to) current = await move(step, current, to, news);
      else if (said !== null && said !== payment.state) {
        log.warn({ payment: id, state: payment.state, said }, 'the bank told a step that cannot be');
      }
      if (to === 'success') await returnIfLeft(step, current);
      if (current.captured > 0) current = await bookChargeback(step, current, news);
      // The charge has ended and its total is known: what the bank took or let go is compared with it at once.
      const isAwaited = to !== null && isOver(to) && current.wanted === 'capture';
      const isReturned = current.refunded > payment.refunded && isOver(current.state) && current.wanted === 'capture';
      if (isAwaited) current = await settlement.settle(step, current, current.total ?? current.amount);
      else if (isReturned) await refunds.askForExcess(step, current);
      if (current.holdStatus !== before) await changed.tell(step, current);
      return current;
    },

    /** The bank could not be asked: what we knew still holds, but nobody should rely on it. */
    async noteSilence(step: Step, id: number): Promise<void> {
      const payment = await payments.lock(step, id);
      if (!payment || payment.holdStatus === 'unknown' || isOver(payment.state)) return;
      await changed.tell(step, await payments.change(step, id, { is_uncertain: true }));
    },
  };
}

export type NewsDesk = ReturnType<typeof createNewsDesk>;
