import { isPayersCancel } from '../payments/payment.ts';
import type { PaymentService } from '../payments/service.ts';
import type { Payment } from '../payments/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { Step } from '../platform/step.ts';
import type { Moves } from './moves.ts';
import type { Settling } from './settling.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  settling: Settling;
  payments: PaymentService;
  dueWork: Pick<DueWork, 'wake'>;
  clock: Clock;
}

/** What a payment's change means for its operation. Called in the payment's own step: neither moves without the other. */
export function createMoneyListener({ operations, moves, settling, payments, dueWork, clock }: Dependencies) {
  const secured = async (step: Step, operation: Operation) => {
    const changes = { next_action_at: clock.now() };
    await moves.move(step, operation, {
      event: 'depositSecured',
      actor: 'bank',
      why: 'the deposit is secured',
      changes,
    });
    step.afterCommit(() => dueWork.wake('operation'));
  };
  const refused = async (step: Step, operation: Operation, payment: Payment) => {
    if (isPayersCancel(payment.errorCode)) return withdrawn(step, operation);
    const why = payment.failureReason ?? 'the bank refused';
    await moves.move(step, operation, { event: 'holdFailed', actor: 'bank', why, changes: { failure_reason: why } });
  };
  const withdrawn = async (step: Step, operation: Operation) => {
    await moves.move(step, operation, { event: 'withdrawn', actor: 'bank', why: 'the invoice was not paid' });
  };
  /** Late money is a fact, and it is not ours: it goes back at once. */
  const tooLate = async (step: Step, operation: Operation, payment: Payment) => {
    await operations.note(step, operation.id, 'bank', `money came after the end (${payment.state}): released`);
    await payments.release(step, payment.id);
  };
  const nothing = async () => {};

  return async function paymentChanged(step: Step, payment: Payment): Promise<void> {
    if (payment.purpose !== 'operation' || payment.operation === null) return;
    const operation = await operations.lock(step, payment.operation);
    if (!operation) return;
    // Who looks at the operation sees its payment too.
    step.tell('operation', operation.id);

    const isOver = ['canceled', 'failed', 'failed_hold'].includes(operation.status);
    // The money is decided: an operation that waits for it is over, and a finished one may have lost more or less.
    const decided =
      operation.status === 'pending_final_payment'
        ? settling.paid
        : operation.status === 'finished'
          ? settling.recounted
          : nothing;
    const isCreated = operation.status === 'created';
    const table = {
      pending: nothing,
      created: nothing,
      processing: nothing,
      hold: isOver ? tooLate : isCreated ? secured : nothing,
      success: isOver ? tooLate : isCreated ? secured : decided,
      failure: isCreated ? refused : decided,
      expired: isCreated ? withdrawn : decided,
      reversed: isCreated ? withdrawn : decided,
    } as const satisfies Record<
      Payment['state'],
      (step: Step, operation: Operation, payment: Payment) => Promise<void>
    >;
    await table[payment.state](step, operation, payment);
  };
}
