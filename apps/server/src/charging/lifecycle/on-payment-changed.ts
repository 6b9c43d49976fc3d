import { isPayersCancel } from '../../payments/decline.ts';
import type { Payment } from '../../payments/payment-row.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DueWork } from '../../platform/jobs/due-work.ts';
import type { Step } from '../../platform/step.ts';
import type { Settling } from '../moves/settling.ts';
import type { Transitions } from '../moves/transition.ts';
import { type PaymentEffect, paymentEffects } from '../payment-effect.ts';
import type { OperationStore, StoredOperation } from '../store.ts';

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  settling: Settling;
  payments: PaymentService;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
}

/** Without an invoice and without a saved card no card was refused: the bank did not open its page. */
const causeOf = ({ invoice, card, errorCode }: Payment) =>
  invoice === null && card === null && errorCode === null ? 'bank_down' : 'bank_refused';

/** Applies a change of a payment to its operation. It is called in the payment's step, so both change together. */
export function createPaymentListener({ operations, transitions, settling, payments, dueWork, clock }: Dependencies) {
  const secured = async (step: Step, operation: StoredOperation) => {
    const changes = { next_action_at: clock.now() };
    await transitions.move(step, operation, {
      event: 'depositSecured',
      actor: 'bank',
      why: 'the deposit is secured',
      changes,
    });
    step.afterCommit(() => dueWork.wake('operation'));
  };
  const refused = async (step: Step, operation: StoredOperation, payment: Payment) => {
    if (isPayersCancel(payment)) return withdrawn(step, operation);
    const why = payment.failureReason ?? 'the bank refused';
    await transitions.move(step, operation, {
      event: 'holdFailed',
      actor: 'bank',
      why,
      changes: { failure_reason: why, failure_cause: causeOf(payment) },
    });
  };
  const withdrawn = async (step: Step, operation: StoredOperation) => {
    await transitions.move(step, operation, { event: 'withdrawn', actor: 'bank', why: 'the invoice was not paid' });
  };
  /** Money that arrives too late does not belong to us, so it is returned at once. */
  const released = async (step: Step, operation: StoredOperation, payment: Payment) => {
    await operations.note(step, operation.id, 'bank', `money came after the end (${payment.state}): released`);
    await payments.release(step, payment.id);
  };
  const effects = {
    none: async () => {},
    secured,
    refused,
    withdrawn,
    released,
    paid: settling.paid,
    recounted: settling.recounted,
  } satisfies Record<PaymentEffect, (step: Step, operation: StoredOperation, payment: Payment) => Promise<unknown>>;

  return async function paymentChanged(step: Step, payment: Payment): Promise<void> {
    if (payment.purpose !== 'operation' || payment.operation === null) return;
    const operation = await operations.lock(step, payment.operation);
    if (!operation) return;
    // Pages that show the operation show its payment too.
    step.publish('operation', operation.id);
    // Also of a charge that staff have opened again: a loss of before may have been collected since.
    if (operation.lost !== payment.lost) await operations.change(step, operation.id, { lost: payment.lost });
    await effects[paymentEffects[payment.state][operation.status]](step, operation, payment);
  };
}
