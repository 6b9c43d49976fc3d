import * as z from 'zod/mini';
import { OperationStatus } from '../../charging.ts';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { IdText } from '../../wire.ts';
import { ofOperations, operationAction, waiting } from './record.ts';

export const softStop = endpoint({
  method: 'POST',
  path: '/api/admin/operation/soft-stop/:id',
  summary:
    'Request the end as the driver would: the charge point gets a stop command, or the operation is canceled before its start',
  access: ofOperations,
  money: noMoney.stops,
  params: z.object({ id: IdText }),
  reply: z.object({ status: OperationStatus, ...waiting }),
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const softStopAction = operationAction({ name: 'soft_stop', endpoint: softStop });
