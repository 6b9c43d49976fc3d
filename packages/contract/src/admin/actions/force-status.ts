import * as z from 'zod/mini';
import { OperationStatus } from '../../charging.ts';
import { endpoint } from '../../endpoint.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofOperations, operationAction, waiting } from './record.ts';

/** The presets of the form. A custom value counts only when no preset is chosen. */
export const forcedStatuses = ['canceled', 'failed', 'finished', 'ongoing'] as const satisfies OperationStatus[];

export const forceOperationStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/status/operation/:id',
  summary: 'Force the status of an operation: canceled and failed release the money, finished settles it',
  access: ofOperations,
  money: [{ of: 'operation', at: 'params.id' }],
  params: z.object({ id: IdText }),
  body: z.object({ status: OperationStatus, override: z.literal(true), ...withReason }),
  reply: z.object({ status: OperationStatus, ...waiting }),
  refusals: ['not_found', 'action_not_applicable', 'payment_final', 'connector_taken'],
  movesMoney: true,
  openInMaintenance: true,
});

export const forceStatusAction = operationAction({
  name: 'force_status',
  endpoint: forceOperationStatus,
  reasons: 'force',
  fields: { status: OperationStatus },
});
