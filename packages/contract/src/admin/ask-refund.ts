import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Kopecks } from '../money.ts';
import { Id, IdText } from '../wire.ts';
import { withReason } from './reasons.ts';

/** For staff who may not return money themselves: the refund waits for somebody who may. */
export const askRefund = endpoint({
  method: 'POST',
  path: '/api/admin/payment/refund-request/:paymentId',
  summary:
    'Ask for a refund, all of it or this amount: a member of staff with manipulate-payments approves or declines it',
  access: ['access-admin-page', 'manipulate-operations'],
  money: [{ of: 'payment', at: 'params.paymentId' }],
  params: z.object({ paymentId: IdText }),
  body: z.object({
    amount: z.optional(Kopecks.check(z.positive('The amount must be greater than 0.'))),
    ...withReason,
  }),
  reply: z.object({ approval_id: Id }),
  refusals: ['not_found', 'payment_not_captured', 'refund_too_high', 'action_not_applicable'],
  movesMoney: true,
});
