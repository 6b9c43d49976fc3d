import { cancelPaymentAction } from '@fpay/contract/admin/actions/cancel-payment';
import type { Effect } from '@fpay/contract/admin/effect';
import type { Kopecks } from '@fpay/contract/money';
import type { PaymentInfo } from '@fpay/contract/payments';
import type { RefusalCode } from '@fpay/contract/refusals';
import type { ApprovalPayload, Approvals } from '../../platform/approvals.ts';
import { type Audit, recordedOutcome } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { StaffLimits } from '../../wallet/staff-limits.ts';
import type { Anomalies } from '../anomalies.ts';
import type { Banks } from '../banks.ts';
import type { BankStatusHandler } from '../lifecycle/apply-bank-status.ts';
import type { OperationPort } from '../operation-port.ts';
import type { PaymentListeners } from '../payment-listeners.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentService } from '../service.ts';
import type { Refunds } from '../settlement/refunds.ts';
import type { PaymentStore } from '../store.ts';
import type { PaymentActionDone, PaymentSubject } from './action.ts';
import { type PaymentOrder, paymentEffect, paymentWorkOf } from './actions.ts';
import { paymentGiven } from './given.ts';

/** What staff may do to a payment, all of it on record and once per request key. */
export interface PaymentStaffActions {
  /** @refuses not_found */
  info(id: number): Promise<PaymentInfo>;
  /**
   * What the action would change as far as we know now, without doing it. The action itself asks the bank first.
   * @refuses not_found
   */
  preview(id: number, order: PaymentOrder, staff?: number | null): Promise<Effect>;
  /**
   * Asks the bank, and then does what `preview` would show.
   * @refuses not_found, operation_open, payment_not_held, payment_not_captured, capture_too_high, refund_too_high, already_reversed
   */
  act(command: StaffOrder, order: PaymentOrder): Promise<PaymentActionDone>;
  /**
   * Asks somebody who may to return this amount, or all. Its approval is a refund as any other.
   * @refuses not_found, payment_not_captured, refund_too_high, action_not_applicable
   */
  askRefund(command: StaffOrder, amount: Kopecks | undefined): Promise<number>;
  /**
   * Marks what does not add up as dealt with. It moves no money: the comment says what was done.
   * @refuses not_found
   */
  resolveAnomaly(staff: number, id: number, comment: string): Promise<void>;
}

const payloadOf = (order: PaymentOrder) => order as unknown as ApprovalPayload;

interface Dependencies {
  payments: PaymentStore;
  service: PaymentService;
  refunds: Refunds;
  banks: Banks;
  bankStatusHandler: BankStatusHandler;
  listeners: PaymentListeners;
  anomalies: Pick<Anomalies, 'resolve'>;
  steps: Steps;
  audit: Audit;
  clock: Clock;
  limits: StaffLimits;
  approvals: Pick<Approvals, 'on' | 'isOpen' | 'request'>;
  operations: () => Pick<OperationPort, 'costOf' | 'note'>;
  /** Writes a line into the log of the user, for a payment without an operation. */
  noteUser?: (step: Step, user: number, text: string) => Promise<void>;
}

/** The staff member, the payment and the request of a decision. */
export interface StaffOrder {
  staff: number;
  payment: number;
  requestKey: string;
  reason?: string | null;
}

/** What staff may do with card payments. Each action is recorded with the state before and after. */
export function createPaymentStaffActions(dependencies: Dependencies): PaymentStaffActions {
  const { payments, service, refunds, banks, bankStatusHandler, listeners, steps, audit, clock } = dependencies;
  const { anomalies, limits, approvals, operations, noteUser } = dependencies;

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
    const answer = await banks.of(payment).invoiceStatus(payment.invoice);
    if (answer.kind !== 'done') return payment;
    return (await steps.run((step) => bankStatusHandler.apply(step, id, answer.value))) ?? payment;
  }

  /** Does the action in this step, unless `waitsFor` makes it wait for a second staff member. */
  async function perform(
    step: Step,
    { staff, payment: id, requestKey, reason = null }: StaffOrder,
    order: PaymentOrder,
    waitsFor: (amount: Kopecks, user: number) => Promise<number | null>,
  ): Promise<number | null> {
    const work = paymentWorkOf(order);
    const { audited: action } = work;
    const details = work.detailsOf(order);
    const locked = await payments.lock(step, id);
    if (!locked) throw new Refusal('not_found');
    const payment = await seen(step, locked, order);
    const subject = await subjectOf(step, payment);
    const effect = paymentEffect(subject, order);
    if (effect.refusal === 'operation_open') throw new Refusal('operation_open', { message: 'Stop the charge first' });
    if (effect.refusal !== null) throw new Refusal(effect.refusal as RefusalCode);
    const waits = await waitsFor(paymentGiven(subject, order, effect), payment.user);
    if (waits !== null) return waits;
    await work.work(tools, step, { payment, staff, reason: reason?.trim() || null }, order);
    const line = `staff ${staff}: ${action} ${JSON.stringify(details)}`;
    if (payment.operation === null) await noteUser?.(step, payment.user, `payment ${id}: ${line}`);
    else await operations().note(step, payment.operation, 'staff', line);
    await audit(step, {
      staff,
      action,
      subject: { kind: 'payment', id },
      before: { status: locked.holdStatus, captured: payment.captured, refunded: payment.refunded },
      after: details,
      ...(work.record.reasons !== null && { reason, person: payment.user }),
      requestKey,
    });
    return null;
  }

  async function act(command: StaffOrder, order: PaymentOrder): Promise<PaymentActionDone> {
    const { staff, payment: id, requestKey, reason = null } = command;
    const { user } = await fresh(id);
    const { way } = paymentWorkOf(order);
    const approval = await steps.run(async (step) => {
      if (await recordedOutcome(step, requestKey)) return null;
      const earlier = await limits.waiting(step, requestKey);
      if (earlier !== null) return earlier;
      await limits.lock(step, staff, user);
      const subject = { kind: 'payment', id } as const;
      const asked = {
        way,
        staff,
        subject,
        kind: 'payment-action',
        payload: payloadOf(order),
        reason,
        requestKey,
      } as const;
      return perform(step, command, order, (amount) => limits.count(step, { ...asked, amount, user }));
    });
    return { ...(await info(id)), approval_id: approval };
  }

  approvals.on('payment-action', {
    calls: [cancelPaymentAction.endpoint],
    area: 'payment',
    hasReason: true,
    prepare: ({ subject }) => fresh(subject.id),
    async refuseDecider(step, { recipient }, decider) {
      if (await limits.sharesWallet(step, recipient, decider)) throw new Refusal('own_balance');
    },
    async carryOut(step, approval, staff) {
      const order = approval.payload as unknown as PaymentOrder;
      const command = {
        staff,
        payment: approval.subject.id,
        requestKey: `approval:${approval.id}`,
        reason: approval.reason ?? null,
      };
      await perform(step, command, order, async (amount, user) => {
        await limits.countApproved(step, approval, { way: paymentWorkOf(order).way, amount, user });
        return null;
      });
    },
  });

  async function askRefund({ staff, payment: id, requestKey, reason = null }: StaffOrder, amount: Kopecks | undefined) {
    await fresh(id);
    return steps.run(async (step) => {
      const earlier = await limits.waiting(step, requestKey);
      if (earlier !== null) return earlier;
      const payment = await payments.lock(step, id);
      if (!payment) throw new Refusal('not_found');
      const subject = { kind: 'payment', id } as const;
      // Two requests for one payment would be approved one after the other.
      if (await approvals.isOpen(step, 'payment-action', subject)) throw new Refusal('action_not_applicable');
      const order: PaymentOrder = { action: 'cancel_payment', ...(amount !== undefined && { amount }) };
      const of = await subjectOf(step, await seen(step, payment, order));
      const effect = paymentEffect(of, order);
      if (effect.refusal !== null) throw new Refusal(effect.refusal as RefusalCode);
      const worth = paymentGiven(of, order, effect);
      const payload = payloadOf(order);
      const asked = { kind: 'payment-action', subject, worth, recipient: payment.user, payload, reason } as const;
      const waits = await approvals.request(step, { ...asked, staff, requestKey });
      if (payment.operation !== null) {
        const line = `staff ${staff}: asked for a refund of ${worth} kopecks`;
        await operations().note(step, payment.operation, 'staff', line);
      }
      return waits;
    });
  }

  /** A release, a capture and a refund are decided on what the bank or the reserve has, whatever state staff forced before. */
  const seen = async (step: Step, payment: Payment, { action }: PaymentOrder): Promise<Payment> =>
    action === 'force_hold' ? payment : service.withoutOverride(step, payment);

  async function subjectOf(step: Step, payment: Payment): Promise<PaymentSubject> {
    const { operation } = payment;
    const cost = operation === null ? null : await operations().costOf(step, operation);
    const isOpen = operation !== null && cost === null;
    const kept = await refunds.left(step, payment);
    return { payment, isOperationOpen: isOpen, cost, kept, refundable: await refunds.returnable(step, payment) };
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

  const tools = { payments, service, refunds, listeners, clock };

  return {
    async info(id: number): Promise<PaymentInfo> {
      await fresh(id);
      return info(id);
    },

    async preview(id: number, order: PaymentOrder, staff: number | null = null): Promise<Effect> {
      const payment = await found(id);
      return steps.run(async (step) => {
        const subject = await subjectOf(step, await seen(step, payment, order));
        const effect = paymentEffect(subject, order);
        if (staff === null || !effect.is_allowed) return effect;
        const amount = paymentGiven(subject, order, effect);
        const about = { kind: 'payment', id } as const;
        return {
          ...effect,
          needs_approval: await limits.isAbove(step, { amount, staff, user: payment.user, subject: about }),
        };
      });
    },

    act,
    askRefund,

    resolveAnomaly: (staff: number, id: number, comment: string): Promise<void> =>
      steps.run(async (step) => {
        if (!(await anomalies.resolve(step, id))) throw new Refusal('not_found');
        const subject = { kind: 'money-anomaly', id } as const;
        await audit(step, { staff, action: 'money.resolve', subject, personal: { comment } });
      }),
  };
}
