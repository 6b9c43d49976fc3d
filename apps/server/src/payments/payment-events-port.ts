import type { Step } from '../platform/step.ts';
import type { PaymentState } from './payment.ts';

/** What payments report of the payment of an operation to other programs. Integrations implements it. */
export interface PaymentEventsPort {
  /** In the step of the change. `refunded` is everything that went back until then. */
  paymentChanged(
    step: Step,
    change: {
      operation: number;
      before: { state: PaymentState; refunded: number };
      state: PaymentState;
      refunded: number;
    },
  ): Promise<void>;
}
