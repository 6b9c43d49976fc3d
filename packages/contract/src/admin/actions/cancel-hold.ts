import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { PaymentInfo } from '../../payments.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofPayments, operationAction, waiting } from './record.ts';

export const cancelHold = endpoint({
  method: 'DELETE',
  path: '/api/admin/payment/hold/:paymentId',
  summary: 'Release a hold',
  access: ofPayments,
  money: [{ of: 'payment', at: 'params.paymentId' }],
  params: z.object({ paymentId: IdText }),
  body: z.object(withReason),
  reply: z.extend(PaymentInfo, waiting),
  refusals: ['not_found', 'payment_not_held'],
  movesMoney: true,
});

export const cancelHoldAction = operationAction({
  name: 'cancel_hold',
  endpoint: cancelHold,
  reasons: 'refund',
});
