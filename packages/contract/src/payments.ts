import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Kopecks } from './money.ts';
import { IdText } from './wire.ts';

/** Statuses of a payment: a hold on a card, a debit for a top-up, or a deposit from the balance. */
export const holdStatuses = [
  'pending',
  'created',
  'processing',
  'hold',
  'success',
  'failure',
  'reversed',
  'expired',
  'unknown',
] as const;
export const HoldStatus = z.enum(holdStatuses);
export type HoldStatus = z.infer<typeof HoldStatus>;

/** Old rows contain `failed`. A value that no version ever wrote becomes unknown. */
export function knownHoldStatus(text: string): HoldStatus {
  if (text === 'failed') return 'failure';
  return (holdStatuses as readonly string[]).includes(text) ? (text as HoldStatus) : 'unknown';
}

/** The final result; null while the payment is open. */
export const PaymentStatus = z.nullable(z.enum(['success', 'failed', 'reversed']));
export type PaymentStatus = z.infer<typeof PaymentStatus>;

export const paymentStatusOf = {
  pending: null,
  created: null,
  processing: null,
  hold: null,
  success: 'success',
  failure: 'failed',
  reversed: 'reversed',
  expired: 'failed',
  unknown: null,
} as const satisfies Record<HoldStatus, PaymentStatus>;

/**
 * Why the bank declined a card, in the groups that a payer can act on. The bank has a hundred codes; its own text may be in
 * another language than the page.
 */
export const declineReasons = [
  'not_enough_money',
  'wrong_card_data',
  'card_limit',
  'lost_card',
  'blocked_by_issuer',
  'three_d_secure',
  'canceled_by_payer',
  'link_expired',
  'bank_trouble',
  'unknown',
] as const;
export const DeclineReason = z.enum(declineReasons);
export type DeclineReason = z.infer<typeof DeclineReason>;

const ByPayment = z.object({ paymentId: IdText });

export const PaymentInfo = z.object({
  masked_pan: z.nullable(z.string()),
  rrn: z.nullable(z.string()),
  amount: Kopecks,
  final_amount: z.nullable(Kopecks),
  status: HoldStatus,
  return_rrn: z.nullable(z.string()),
  return_status: z.nullable(z.string()),
  return_amount: z.nullable(Kopecks),
});
export type PaymentInfo = z.infer<typeof PaymentInfo>;

export const paymentInfo = endpoint({
  method: 'GET',
  path: '/api/admin/payment/info/:paymentId',
  summary: 'What the bank knows of a payment',
  access: ['access-admin-page', 'monitor-operations'],
  params: ByPayment,
  reply: PaymentInfo,
  refusals: ['not_found'],
});

export const invoice = endpoint({
  method: 'GET',
  path: '/api/invoice/:id',
  summary: 'The receipt of a finished operation, as PDF',
  access: ['use-app'],
  params: z.object({ id: IdText }),
  produces: 'application/pdf',
  refusals: ['not_found', 'no_receipt'],
  openInMaintenance: true,
});
