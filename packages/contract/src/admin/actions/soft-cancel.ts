import * as z from 'zod/mini';
import { OperationStatus } from '../../charging.ts';
import { endpoint } from '../../endpoint.ts';
import { IdText } from '../../wire.ts';
import { ofOperations, operationAction, waiting } from './record.ts';

export const softCancel = endpoint({
  method: 'POST',
  path: '/api/admin/operation/soft-cancel/:id',
  summary: 'End an operation that has delivered no energy, and release the money',
  access: ofOperations,
  money: [{ of: 'operation', at: 'params.id' }],
  params: z.object({ id: IdText }),
  reply: z.object({ status: OperationStatus, ...waiting }),
  refusals: ['not_found', 'action_not_applicable'],
  movesMoney: true,
  openInMaintenance: true,
});

export const softCancelAction = operationAction({ name: 'soft_cancel', endpoint: softCancel });
