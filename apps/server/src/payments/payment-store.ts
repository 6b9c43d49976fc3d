import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import type { PaymentEvent, StaffOverride } from './payment.ts';
import type { RefundStore } from './refund-store.ts';
import type { NewPayment, Payment, PaymentChanges, PlannedChanges } from './store.ts';

/** Payments with their refunds. Refuses nothing. */
export interface PaymentStore extends RefundStore {
  add(step: Step, payment: NewPayment): Promise<Payment>;
  find(id: number): Promise<Payment | null>;
  ofOperation(operation: number, from?: Database | Step['db']): Promise<Payment | null>;
  byInvoice(invoice: string): Promise<Payment | null>;
  byRequest(requestKey: string, from?: Database | Step['db']): Promise<Payment | null>;
  lastTopUp(user: number): Promise<Payment | null>;
  /** Whether the user has an open payment, other than for these operations. */
  hasOpen(step: Step, user: number, exceptOperations: readonly number[]): Promise<boolean>;
  /**
   * No other step changes it until this one ends. Locked before any account, and after its operation: a step of a charge has
   * the operation already when it comes to the payment, so with another order the two would wait for each other.
   */
  lock(step: Step, id: number): Promise<Payment | null>;
  change(step: Step, id: number, changes: PaymentChanges): Promise<Payment>;
  /**
   * The only way a payment changes its status: along the table of `payment.ts`. Null when the table has no such transition;
   * then nothing is written. The caller's step has locked the row.
   */
  move(
    step: Step,
    payment: Pick<Payment, 'id' | 'state'>,
    event: PaymentEvent | StaffOverride,
    changes?: PaymentChanges,
  ): Promise<Payment | null>;
  /** Claims the row's next step for this process at once. The earlier claim becomes void. */
  claim(id: number): Promise<number>;
  /**
   * Something may have happened at the bank, so the status is read now. A read in progress may be too early, so it
   * loses its claim.
   */
  hasten(id: number): Promise<void>;
  /** Sets the next due time, unless the claim was lost. */
  schedule(id: number, claim: number, nextActionAt: Date | null, changes?: PlannedChanges): Promise<void>;
}
