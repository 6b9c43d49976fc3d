import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Kopecks } from '../../money.ts';
import { PaymentInfo } from '../../payments.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofPayments, operationAction, waiting } from './record.ts';

export const finalizePayment = endpoint({
  method: 'POST',
  path: '/api/admin/payment/:paymentId',
  summary: 'Capture a hold with this amount; after capture a lower amount returns the difference',
  access: ofPayments,
  money: [{ of: 'payment', at: 'params.paymentId' }],
  params: z.object({ paymentId: IdText }),
  body: z.object({ amount: Kopecks.check(z.positive('The amount must be greater than 0.')), ...withReason }),
  reply: z.extend(PaymentInfo, waiting),
  refusals: ['not_found', 'operation_open', 'payment_not_held', 'capture_too_high'],
  movesMoney: true,
});

export const finalizeAction = operationAction({
  name: 'finalize',
  endpoint: finalizePayment,
  reasons: 'settle',
  fields: { amount: Kopecks },
});
