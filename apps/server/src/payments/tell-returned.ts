import type { Step } from '../platform/step.ts';

/** Money of a charge that staff have returned to its driver. */
export interface ReturnedByStaff {
  operation: number;
  /** Tells two refunds of one charge apart; 0 for the reversal of a charge from the balance, of which there is one. */
  ref: number;
  amount: number;
  to: 'card' | 'balance';
  reason: string | null;
}

/** Tells the driver, once for each return, in the step that books it. Messages implements it. */
export type TellReturned = (step: Step, user: number, returned: ReturnedByStaff) => Promise<void>;
