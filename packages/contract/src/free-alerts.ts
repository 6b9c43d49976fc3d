import * as z from 'zod/mini';
import { ConnectorType } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { StationNumber } from './stations.ts';
import { Id, IdText, Instant } from './wire.ts';

/** How long one driver knows of a free connector before the next one does. */
export const headStartMinutes = 10;

/** A driver's wish to be notified when a connector of a station is free. */
export const FreeAlert = z.object({
  id: Id,
  connector_type: ConnectorType,
  /** Null for any connector of the type. */
  connector: z.nullable(Id),
  /** Drivers who asked earlier. */
  ahead: z.int().check(z.nonnegative()),
  expires_at: Instant,
  /** While set, a connector is free and only this driver was notified, until then. */
  head_start_until: z.nullable(Instant),
});
export type FreeAlert = z.infer<typeof FreeAlert>;

const ByNumber = z.object({ number: StationNumber });

export const freeAlertAt = endpoint({
  method: 'GET',
  path: '/api/station/:number/alert',
  summary: "The caller's alert at a station, and how many drivers wait there for each type of connector",
  access: ['use-app'],
  params: ByNumber,
  reply: z.object({
    alert: z.nullable(FreeAlert),
    waiting: z.array(z.object({ connector_type: ConnectorType, count: z.int() })),
    /** When an alert of now would end by itself. */
    expires_at: Instant,
  }),
  refusals: ['not_found', 'closed_station'],
});

export const addFreeAlert = endpoint({
  method: 'POST',
  path: '/api/station/:number/alert',
  summary: 'Notify the caller when a connector is free; replaces an earlier alert at this station',
  access: ['use-app'],
  params: ByNumber,
  body: z.object({ connector_type: ConnectorType, connector: z.nullable(Id) }),
  reply: FreeAlert,
  refusals: ['not_found', 'closed_station', 'too_many_attempts'],
});

export const removeFreeAlert = endpoint({
  method: 'DELETE',
  path: '/api/alerts/:id',
  summary: 'Withdraw an alert',
  access: ['use-app'],
  params: z.object({ id: IdText }),
  refusals: ['not_found'],
});
