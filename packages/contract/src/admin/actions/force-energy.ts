import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Kopecks, SignedKopecks, WattHours } from '../../money.ts';
import { IdText } from '../../wire.ts';
import { withReason } from '../reasons.ts';
import { ofOperations, operationAction, waiting } from './record.ts';

export const forceEnergy = endpoint({
  method: 'PATCH',
  path: '/api/admin/operation/:id',
  summary: 'Set the energy of an operation; with update_total also its total, and the money follows',
  access: ofOperations,
  money: [{ of: 'operation', at: 'params.id' }],
  params: z.object({ id: IdText }),
  body: z.object({
    energy: WattHours.check(z.lte(1_000_000, 'At most 1000 kWh.')),
    update_total: z.boolean(),
    ...withReason,
  }),
  reply: z.object({ energy: WattHours, total: Kopecks, change: SignedKopecks, ...waiting }),
  refusals: ['not_found', 'action_not_applicable'],
  movesMoney: true,
  openInMaintenance: true,
});

export const forceEnergyAction = operationAction({
  name: 'force_energy',
  endpoint: forceEnergy,
  reasons: 'settle',
  fields: { energy: WattHours, update_total: z.optional(z.boolean()) },
});
