import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Kopecks } from '../../money.ts';
import { PaymentInfo } from '../../payments.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofPayments, operationAction, waiting } from './record.ts';

export const cancelPayment = endpoint({
  method: 'DELETE',
  path: '/api/admin/payment/:paymentId',
  summary: 'Return captured money to the card, all of it or this amount',
  access: ofPayments,
  money: [{ of: 'payment', at: 'params.paymentId' }],
  params: z.object({ paymentId: IdText }),
  body: z.object({
    amount: z.optional(Kopecks.check(z.positive('The amount must be greater than 0.'))),
    ...withReason,
  }),
  reply: z.extend(PaymentInfo, waiting),
  refusals: ['not_found', 'payment_not_captured', 'refund_too_high', 'insufficient_balance', 'already_reversed'],
  movesMoney: true,
});

export const cancelPaymentAction = operationAction({
  name: 'cancel_payment',
  endpoint: cancelPayment,
  reasons: 'refund',
  fields: { amount: z.optional(Kopecks) },
});
