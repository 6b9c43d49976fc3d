import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { HoldStatus, PaymentInfo } from '@fpay/contract/payments';
import { type Audit, recordedOutcome } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Bank } from './bank.ts';
import type { Changed } from './changed.ts';
import type { NewsDesk } from './news.ts';
import type { Refunds } from './refunds.ts';
import type { PaymentService } from './service.ts';
import type { Payment, PaymentStore } from './store.ts';

interface Dependencies {
  payments: PaymentStore;
  service: PaymentService;
  refunds: Refunds;
  bank: Bank;
  desk: NewsDesk;
  changed: Changed;
  steps: Steps;
  audit: Audit;
  clock: Clock;
  isOperationOpen: (step: Step, operation: number) => Promise<boolean>;
}

/** Whose decision, on which payment, and by which request. */
export interface StaffOrder {
  staff: number;
  payment: number;
  requestKey: string;
}

/** What staff may do to card payments. Each action is on record with what it found and what it left. */
export function createPaymentDesk(dependencies: Dependencies) {
  const { payments, service, refunds, bank, desk, changed, steps, audit, clock, isOperationOpen } = dependencies;

  async function found(id: number): Promise<Payment> {
    const payment = await payments.find(id);
    if (!payment) throw new Refusal('not_found');
    return payment;
  }

  /** Staff decide on what is true now, so the bank is asked first; when it is silent, what we know must do. */
  async function fresh(id: number): Promise<Payment> {
    const payment = await found(id);
    if (payment.invoice === null) return payment;
    const answer = await bank.news(payment.invoice);
    if (answer.kind !== 'done') return payment;
    return (await steps.run((step) => desk.apply(step, id, answer.value))) ?? payment;
  }

  async function act(
    { staff, payment: id, requestKey }: StaffOrder,
    action: string,
    details: object,
    work: (step: Step, payment: Payment) => Promise<unknown>,
  ): Promise<PaymentInfo> {
    await fresh(id);
    await steps.run(async (step) => {
      if (await recordedOutcome(step, requestKey)) return;
      const payment = await payments.lock(step, id);
      if (!payment) throw new Refusal('not_found');
      await work(step, payment);
      await audit(step, {
        staff,
        action,
        subject: { kind: 'payment', id },
        before: { status: payment.holdStatus, captured: payment.captured, refunded: payment.refunded },
        after: details,
        requestKey,
      });
    });
    return info(id);
  }

  /** A captured payment can only be lowered: the difference is refunded. */
  async function lower(step: Step, { staff }: StaffOrder, payment: Payment, amount: Kopecks): Promise<void> {
    const kept = await refunds.left(step, payment);
    if (amount > kept) throw new Refusal('capture_too_high');
    if (amount === kept) return;
    await refunds.ask(step, { payment, amount: kopecks(kept - amount), staff, reverses: null });
  }

  async function info(id: number): Promise<PaymentInfo> {
    const payment = await found(id);
    const back = refunds.summary(await payments.refunds(id));
    return {
      masked_pan: payment.maskedPan,
      rrn: payment.rrn,
      amount: payment.amount,
      final_amount: payment.captured > 0 ? ((payment.captured - payment.refunded) as Kopecks) : null,
      status: payment.holdStatus,
      return_rrn: back?.rrn ?? null,
      return_status: back?.status ?? null,
      return_amount: back?.amount ?? null,
    };
  }

  return {
    async info(id: number): Promise<PaymentInfo> {
      await fresh(id);
      return info(id);
    },

    finalize: (order: StaffOrder, amount: Kopecks) =>
      act(order, 'payment.finalize', { amount }, async (step, payment) => {
        // The total is not known before the end, and a hold can be captured only once.
        if (payment.operation !== null && (await isOperationOpen(step, payment.operation))) {
          throw new Refusal('operation_open', { message: 'Stop the charge first' });
        }
        if (payment.state === 'success') return lower(step, order, payment, amount);
        if (payment.state !== 'hold' || payment.wanted === 'release') throw new Refusal('payment_not_held');
        if (amount > (payment.total ?? payment.amount)) throw new Refusal('capture_too_high');
        await service.capture(step, payment.id, amount);
      }),

    cancelHold: (order: StaffOrder) =>
      act(order, 'payment.cancel-hold', {}, async (step, payment) => {
        if (payment.state !== 'hold') throw new Refusal('payment_not_held');
        await service.release(step, payment.id);
      }),

    cancelPayment: (order: StaffOrder, amount: Kopecks | undefined) =>
      act(order, 'payment.cancel', { amount: amount ?? 'all' }, async (step, payment) => {
        if (payment.state !== 'success') throw new Refusal('payment_not_captured');
        const all = await refunds.left(step, payment);
        if (all === 0) throw new Refusal('refund_too_high');
        await refunds.ask(step, { payment, amount: amount ?? (all as Kopecks), staff: order.staff, reverses: null });
      }),

    /** Forces the state by hand after the bank has been asked. Moves no money; the checker lists such payments apart. */
    overrideStatus: (order: StaffOrder, status: Exclude<HoldStatus, 'unknown'>) =>
      act(order, 'payment.override-status', { status }, async (step, payment) => {
        if (payment.holdStatus === status) return;
        const forced = await payments.change(step, payment.id, {
          status,
          is_uncertain: false,
          is_overridden: true,
          wanted: null,
          next_action_at: null,
          closed_at: clock.now(),
        });
        await changed.tell(step, forced);
      }),
  };
}

export type PaymentDesk = ReturnType<typeof createPaymentDesk>;
