import type { OperationStatus } from '@fpay/contract/charging';
import type { PaymentState } from '../payments/payment.ts';

/** What a change of a payment means for its operation. */
export type PaymentEffect =
  | 'none'
  /** The deposit is there: the operation may start. */
  | 'secured'
  /** The bank refused the hold. */
  | 'refused'
  /** The invoice was not paid. */
  | 'withdrawn'
  /** Money came after the end, so it goes back at once. */
  | 'released'
  /** The operation waited for its final payment, which is decided now. */
  | 'paid'
  /** A finished operation may have lost more or less. */
  | 'recounted';

type Row = Record<OperationStatus, PaymentEffect>;

const none: Row = {
  created: 'none',
  pending: 'none',
  starting: 'none',
  ongoing: 'none',
  finishing: 'none',
  pending_final_payment: 'none',
  finished: 'none',
  canceled: 'none',
  failed: 'none',
  failed_hold: 'none',
};
const late = { canceled: 'released', failed: 'released', failed_hold: 'released' } as const;
const decided = { pending_final_payment: 'paid', finished: 'recounted' } as const;

export const paymentEffects: Record<PaymentState, Row> = {
  pending: none,
  created: none,
  processing: none,
  // What the bank does to the money while the charge runs is settled at its end.
  hold: { ...none, ...late, created: 'secured' },
  success: { ...none, ...late, ...decided, created: 'secured' },
  failure: { ...none, ...decided, created: 'refused' },
  expired: { ...none, ...decided, created: 'withdrawn' },
  reversed: { ...none, ...decided, created: 'withdrawn' },
};
