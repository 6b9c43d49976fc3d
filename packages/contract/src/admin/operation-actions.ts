import * as z from 'zod/mini';
import { OperationStatus } from '../charging.ts';
import { endpoint } from '../endpoint.ts';
import { Kopecks, SignedKopecks, WattHours } from '../money.ts';
import { HoldStatus } from '../payments.ts';
import { Id, IdText, TransactionId } from '../wire.ts';
import { Effect } from './effect.ts';

const monitor = ['access-admin-page', 'monitor-operations'] as const;
const manipulate = ['access-admin-page', 'manipulate-operations'] as const;
const ById = z.object({ id: IdText });

/** What staff can do to an operation and to its payment. */
export const operationActions = [
  'force_status',
  'force_hold',
  'soft_start',
  'soft_stop',
  'soft_cancel',
  'finish',
  'cancel_hold',
  'finalize',
  'cancel_payment',
  'force_energy',
  'reset',
  'remote_stop',
] as const;
export const OperationAction = z.enum(operationActions);
export type OperationAction = z.infer<typeof OperationAction>;

/** The presets of the forms. A custom value counts only when no preset is chosen. */
export const forcedStatuses = ['canceled', 'failed', 'finished', 'ongoing'] as const satisfies OperationStatus[];
export const forcedHolds = ['hold', 'failure', 'reversed', 'success'] as const satisfies HoldStatus[];
/** The bank's answer makes a payment unknown, so staff cannot choose it. */
export const ForcedHold = HoldStatus.check(z.refine((status) => status !== 'unknown', 'This status cannot be set.'));

export const previewOperationAction = endpoint({
  method: 'POST',
  path: '/api/admin/operation/preview/:id',
  summary: 'What an action on this operation would change, without doing it',
  access: monitor,
  params: ById,
  body: z.object({
    action: OperationAction,
    /** For `force_status`. */
    status: z.optional(OperationStatus),
    /** For `force_hold`. */
    hold: z.optional(ForcedHold),
    /** For `finalize` and `cancel_payment`, in kopecks. */
    amount: z.optional(Kopecks),
    /** For `force_energy`. */
    energy: z.optional(WattHours),
    update_total: z.optional(z.boolean()),
  }),
  reply: Effect,
  refusals: ['not_found'],
  openInMaintenance: true,
});

const Done = z.object({ status: OperationStatus });

export const forceOperationStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/status/operation/:id',
  summary: 'Force the status of an operation: canceled and failed release the money, finished settles it',
  access: manipulate,
  params: ById,
  body: z.object({ status: OperationStatus, override: z.literal(true) }),
  reply: Done,
  refusals: ['not_found', 'action_not_applicable', 'payment_final', 'connector_taken'],
  movesMoney: true,
  openInMaintenance: true,
});

export const forceHoldStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/status/hold/:id',
  summary: "Force the status of a payment, by the payment's id. The bank is asked first, and no money moves",
  access: ['access-admin-page', 'manipulate-payments'],
  params: ById,
  body: z.object({ status: ForcedHold, override: z.literal(true) }),
  reply: z.object({ status: HoldStatus }),
  refusals: ['not_found'],
  movesMoney: true,
  openInMaintenance: true,
});

export const forceEnergy = endpoint({
  method: 'PATCH',
  path: '/api/admin/operation/:id',
  summary: 'Set the energy of an operation; with update_total also its total, and the money follows',
  access: manipulate,
  params: ById,
  body: z.object({
    energy: WattHours.check(z.lte(1_000_000, 'At most 1000 kWh.')),
    update_total: z.boolean(),
  }),
  reply: z.object({ energy: WattHours, total: Kopecks, change: SignedKopecks }),
  refusals: ['not_found', 'action_not_applicable'],
  movesMoney: true,
  openInMaintenance: true,
});

export const finishOperation = endpoint({
  method: 'PATCH',
  path: '/api/admin/operation/stop-message/:id',
  summary: "End an operation as if the station's stop message had come with the last known meter value",
  access: manipulate,
  params: ById,
  reply: Done,
  refusals: ['not_found', 'action_not_applicable'],
  movesMoney: true,
  openInMaintenance: true,
});

export const softStart = endpoint({
  method: 'POST',
  path: '/api/admin/operation/soft-start/:id',
  summary: 'Send the start to the charge point again',
  access: manipulate,
  params: ById,
  reply: Done,
  refusals: ['not_found', 'action_not_applicable'],
  openInMaintenance: true,
});

export const softCancel = endpoint({
  method: 'POST',
  path: '/api/admin/operation/soft-cancel/:id',
  summary: 'End an operation that has delivered no energy, and release the money',
  access: manipulate,
  params: ById,
  reply: Done,
  refusals: ['not_found', 'action_not_applicable'],
  movesMoney: true,
  openInMaintenance: true,
});

export const stationCommand = endpoint({
  method: 'POST',
  path: '/api/admin/command',
  summary: 'Reset a charge point, or tell it to stop a transaction, and wait for its answer',
  access: ['access-admin-page', 'interact-with-stations'],
  body: z.discriminatedUnion('command', [
    z.object({
      command: z.literal('reset'),
      payload: z.object({ chargePointId: Id, resetType: z.enum(['Soft', 'Hard']) }),
    }),
    z.object({
      command: z.literal('remotestoptransaction'),
      payload: z.object({ chargePointId: Id, transactionId: TransactionId }),
    }),
  ]),
  reply: z.object({
    outcome: z.enum(['answered', 'error', 'timeout', 'offline', 'unknown']),
    /** The answer of the charge point itself: Accepted, Rejected … Null when there was none. */
    status: z.nullable(z.string()),
  }),
  refusals: ['not_found'],
  openInMaintenance: true,
});
