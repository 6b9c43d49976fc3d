import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { IdText } from './wire.ts';

export const negotiate = endpoint({
  method: 'GET',
  path: '/api/negotiate',
  beforeConfirmation: true,
  summary: 'An address for the real-time connection, with the rights of this user for a short while',
  access: 'signed-in',
  query: z.object({
    /** Also grants the group of this operation, after an access check. */
    operation: z.optional(IdText),
    /** Also grants the group of staff, which needs the permissions `staffGroupAccess`. */
    staff: z.optional(z.literal('true')),
    /** Also grants the groups of the stations whose connectors this station's page lists. */
    station: z.optional(z.string().check(z.maxLength(20))),
  }),
  reply: z.object({ connectionString: z.string() }),
  refusals: ['not_found', 'forbidden'],
  openInMaintenance: true,
});

export const userGroup = (id: number) => `user-${id}`;
export const operationGroup = (id: number) => `operation-${id}`;
/** The id is that of a real station; a virtual station lists connectors of several. */
export const stationGroup = (id: number) => `station-${id}`;
