import * as z from 'zod/mini';
import { OperationStatus } from '../../charging.ts';
import { endpoint } from '../../endpoint.ts';
import { IdText } from '../../wire.ts';
import { ofOperations, operationAction, waiting } from './record.ts';

export const softStart = endpoint({
  method: 'POST',
  path: '/api/admin/operation/soft-start/:id',
  summary: 'Send the start to the charge point again',
  access: ofOperations,
  money: [{ of: 'operation', at: 'params.id' }],
  params: z.object({ id: IdText }),
  reply: z.object({ status: OperationStatus, ...waiting }),
  refusals: ['not_found', 'action_not_applicable'],
  openInMaintenance: true,
});

export const softStartAction = operationAction({ name: 'soft_start', endpoint: softStart });
