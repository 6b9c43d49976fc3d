import * as z from 'zod/mini';
import { OperationStatus } from '../../charging.ts';
import { endpoint } from '../../endpoint.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofOperations, operationAction, waiting } from './record.ts';

export const finishOperation = endpoint({
  method: 'PATCH',
  path: '/api/admin/operation/stop-message/:id',
  summary: "End an operation as if the station's stop message had come with the last known meter value",
  access: ofOperations,
  money: [{ of: 'operation', at: 'params.id' }],
  params: z.object({ id: IdText }),
  body: z.object(withReason),
  reply: z.object({ status: OperationStatus, ...waiting }),
  refusals: ['not_found', 'action_not_applicable'],
  movesMoney: true,
  openInMaintenance: true,
});

export const finishAction = operationAction({ name: 'finish', endpoint: finishOperation, reasons: 'settle' });
