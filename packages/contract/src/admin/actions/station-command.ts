import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, TransactionId } from '../../wire.ts';
import { ofStations } from './record.ts';

export const stationCommand = endpoint({
  method: 'POST',
  path: '/api/admin/command',
  summary: 'Reset a charge point, or tell it to stop a transaction, and wait for its answer',
  access: ofStations,
  money: noMoney.stops,
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
