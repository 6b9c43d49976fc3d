import type { Step } from '../platform/step.ts';
import type { Payment } from './payment-row.ts';

/** A listener runs in the step that changes the payment, so both commit together. */
export type PaymentListener = (step: Step, payment: Payment) => Promise<void>;

export function createPaymentListeners() {
  const listeners: PaymentListener[] = [];
  return {
    listen(listener: PaymentListener): void {
      listeners.push(listener);
    },
    async notify(step: Step, payment: Payment): Promise<void> {
      for (const listener of listeners) await listener(step, payment);
    },
  };
}

export type PaymentListeners = ReturnType<typeof createPaymentListeners>;
