import type { Step } from '../platform/step.ts';
import type { Payment } from './store.ts';

/** Whoever must act on a payment's change does so in the very step that changes it: neither is ever lost without the other. */
export type PaymentListener = (step: Step, payment: Payment) => Promise<void>;

export function createChanged() {
  const listeners: PaymentListener[] = [];
  return {
    listen(listener: PaymentListener): void {
      listeners.push(listener);
    },
    async tell(step: Step, payment: Payment): Promise<void> {
      step.tell('payment', payment.id);
      for (const listener of listeners) await listener(step, payment);
    },
  };
}

export type Changed = ReturnType<typeof createChanged>;
