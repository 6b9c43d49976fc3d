import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { HoldStatus } from '../../payments.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofPayments, operationAction, waiting } from './record.ts';

/** The presets of the form. A custom value counts only when no preset is chosen. */
export const forcedHolds = ['hold', 'failure', 'reversed', 'success'] as const satisfies HoldStatus[];
/** The bank's answer makes a payment unknown, so staff cannot choose it. */
const ForcedHold = HoldStatus.check(z.refine((status) => status !== 'unknown', 'This status cannot be set.'));

export const forceHoldStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/status/hold/:id',
  summary: "Force the status of a payment, by the payment's id. The bank is asked first, and no money moves",
  access: ofPayments,
  money: [{ of: 'payment', at: 'params.id' }],
  params: z.object({ id: IdText }),
  body: z.object({ status: ForcedHold, override: z.literal(true), ...withReason }),
  reply: z.object({ status: HoldStatus, ...waiting }),
  refusals: ['not_found'],
  movesMoney: true,
  openInMaintenance: true,
});

export const forceHoldAction = operationAction({
  name: 'force_hold',
  endpoint: forceHoldStatus,
  reasons: 'force',
  fields: { hold: ForcedHold },
});
