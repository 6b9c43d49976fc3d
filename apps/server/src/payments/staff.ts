import type { Effect } from '@fpay/contract/admin/effect';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { PaymentInfo } from '@fpay/contract/payments';
import type { RefusalCode } from '@fpay/contract/refusals';
import { type Audit, recordedOutcome } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Anomalies } from './anomalies.ts';
import type { BankStatusHandler } from './apply-bank-status.ts';
import type { BankApi } from './bank.ts';
import type { PaymentState } from './payment.ts';
import type { PaymentListeners } from './payment-listeners.ts';
import type { PaymentStore } from './payment-store.ts';
import type { Refunds } from './refunds.ts';
import type { PaymentService } from './service.ts';
import { type PaymentOrder, paymentEffect } from './staff-effect.ts';
import type { Payment } from './store.ts';

/** What staff may do to a payment, all of it on record and once per request key. */
export interface PaymentStaffActions {
  /** @refuses not_found */
  info(id: number): Promise<PaymentInfo>;
  /**
   * What the action would change as far as we know now, without doing it. The action itself asks the bank first.
   * @refuses not_found
   */
  preview(id: number, order: PaymentOrder): Promise<Effect>;
  /**
   * Captures a hold, or lowers what was captured.
   * @refuses not_found, operation_open, payment_not_held, capture_too_high, already_reversed
   */
  finalize(order: StaffOrder, amount: Kopecks): Promise<PaymentInfo>;
  /** @refuses not_found, payment_not_held */
  cancelHold(order: StaffOrder): Promise<PaymentInfo>;
  /** @refuses not_found, payment_not_captured, refund_too_high, already_reversed */
  cancelPayment(order: StaffOrder, amount: Kopecks | undefined): Promise<PaymentInfo>;
  /**
   * Marks what does not add up as dealt with. It moves no money: the comment says what was done.
   * @refuses not_found
   */
  resolveAnomaly(staff: number, id: number, comment: string): Promise<void>;
  /**
   * Forces the state by hand after the bank was asked. It moves no money; the checker lists such payments separately.
   * @refuses not_found
   */
  overrideStatus(order: StaffOrder, status: PaymentState): Promise<PaymentInfo>;
}

interface Dependencies {
  payments: PaymentStore;
  service: PaymentService;
  refunds: Refunds;
  bank: BankApi;
  bankStatusHandler: BankStatusHandler;
  listeners: PaymentListeners;
  anomalies: Pick<Anomalies, 'resolve'>;
  steps: Steps;
  audit: Audit;
  clock: Clock;
  isOperationOpen: (step: Step, operation: number) => Promise<boolean>;
  /** Writes a line into the log of the operation that the payment is for. */
  noteOperation?: (step: Step, operation: number, text: string) => Promise<void>;
  /** Writes a line into the log of the user, for a payment without an operation. */
  noteUser?: (step: Step, user: number, text: string) => Promise<void>;
}

/** The staff member, the payment and the request of a decision. */
export interface StaffOrder {
  staff: number;
  payment: number;
  requestKey: string;
}

/** What staff may do with card payments. Each action is recorded with the state before and after. */
export function createPaymentStaffActions(dependencies: Dependencies): PaymentStaffActions {
  const { payments, service, refunds, bank, bankStatusHandler, listeners, steps, audit, clock, isOperationOpen } =
    dependencies;
  const { anomalies, noteOperation, noteUser } = dependencies;

  async function found(id: number): Promise<Payment> {
    const payment = await payments.find(id);
    if (!payment) throw new Refusal('not_found');
    return payment;
  }

  /**
   * Staff decide on the current state, so the bank is asked first; when it does not answer, the last known state is
   * used.
   */
  async function fresh(id: number): Promise<Payment> {
    const payment = await found(id);
    if (payment.invoice === null) return payment;
    const answer = await bank.invoiceStatus(payment.invoice);
    if (answer.kind !== 'done') return payment;
    return (await steps.run((step) => bankStatusHandler.apply(step, id, answer.value))) ?? payment;
  }

  async function act(
    { staff, payment: id, requestKey }: StaffOrder,
    action: string,
    order: PaymentOrder,
    details: object,
    work: (step: Step, payment: Payment) => Promise<unknown>,
  ): Promise<PaymentInfo> {
    await fresh(id);
    await steps.run(async (step) => {
      if (await recordedOutcome(step, requestKey)) return;
      const payment = await payments.lock(step, id);
      if (!payment) throw new Refusal('not_found');
      const { refusal } = await effectOf(step, payment, order);
      if (refusal === 'operation_open') throw new Refusal('operation_open', { message: 'Stop the charge first' });
      if (refusal !== null) throw new Refusal(refusal as RefusalCode);
      await work(step, payment);
      const line = `staff ${staff}: ${action} ${JSON.stringify(details)}`;
      if (payment.operation === null) await noteUser?.(step, payment.user, `payment ${id}: ${line}`);
      else await noteOperation?.(step, payment.operation, line);
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

  async function effectOf(step: Step, payment: Payment, order: PaymentOrder): Promise<Effect> {
    const isOpen = payment.operation !== null && (await isOperationOpen(step, payment.operation));
    return paymentEffect({ payment, isOperationOpen: isOpen, refundable: await refunds.left(step, payment) }, order);
  }

  /** A captured payment can only be lowered: the difference is refunded. */
  async function lower(step: Step, { staff }: StaffOrder, payment: Payment, amount: Kopecks): Promise<void> {
    const kept = await refunds.left(step, payment);
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

    async preview(id: number, order: PaymentOrder): Promise<Effect> {
      const payment = await found(id);
      return steps.run((step) => effectOf(step, payment, order));
    },

    finalize: (order: StaffOrder, amount: Kopecks) =>
      act(order, 'payment.finalize', { action: 'finalize', amount }, { amount }, async (step, payment) => {
        if (payment.state === 'success') return lower(step, order, payment, amount);
        return service.capture(step, payment.id, amount);
      }),

    cancelHold: (order: StaffOrder) =>
      act(order, 'payment.cancel-hold', { action: 'cancel_hold' }, {}, (step, payment) =>
        service.release(step, payment.id),
      ),

    cancelPayment: (order: StaffOrder, amount: Kopecks | undefined) =>
      act(
        order,
        'payment.cancel',
        { action: 'cancel_payment', amount },
        { amount: amount ?? 'all' },
        async (step, payment) => {
          const all = await refunds.left(step, payment);
          await refunds.ask(step, { payment, amount: amount ?? (all as Kopecks), staff: order.staff, reverses: null });
        },
      ),

    resolveAnomaly: (staff: number, id: number, comment: string): Promise<void> =>
      steps.run(async (step) => {
        if (!(await anomalies.resolve(step, id))) throw new Refusal('not_found');
        const subject = { kind: 'money-anomaly', id } as const;
        await audit(step, { staff, action: 'money.resolve', subject, after: { comment } });
      }),

    overrideStatus: (order: StaffOrder, status: PaymentState) =>
      act(order, 'payment.override-status', { action: 'force_hold', status }, { status }, async (step, payment) => {
        if (payment.holdStatus === status) return;
        const forced = await payments.move(
          step,
          payment,
          { overriddenTo: status },
          {
            is_uncertain: false,
            is_overridden: true,
            wanted: null,
            next_action_at: null,
            closed_at: clock.now(),
          },
        );
        if (forced) await listeners.notify(step, forced);
      }),
  };
}
