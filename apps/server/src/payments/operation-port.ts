import type { Kopecks } from '@fpay/contract/money';
import type { HoldStatus } from '@fpay/contract/payments';
import type { Step } from '../platform/step.ts';

/** What lists of operations show of a payment. */
export interface ShownPayment {
  holdStatus: HoldStatus;
  /** Captured and not refunded. */
  paid: number;
}

/** What payments need of operations, which they know only by id. Charging implements it. */
export interface OperationPort {
  /** What an ended charge costs, 0 when it did not happen; null while it is open. */
  costOf(step: Step, operation: number): Promise<Kopecks | null>;
  /** No other step changes the operation until this one ends. */
  lock(step: Step, operation: number): Promise<unknown>;
  /** Keeps what lists of operations show of the payment. */
  showPayment(step: Step, operation: number, shown: ShownPayment): Promise<void>;
  /** Writes a line into its log. */
  note(step: Step, operation: number, actor: string, text: string): Promise<void>;
}
