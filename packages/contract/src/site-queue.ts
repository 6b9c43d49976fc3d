import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { StationNumber } from './stations.ts';
import { Id, IdText, Instant } from './wire.ts';

/** A driver's place in the queue of a site that has no power left. Nothing is paid or held while they wait. */
export const SitePlace = z.object({
  /** It is left as an alert is withdrawn. */
  id: Id,
  connector: Id,
  /** Drivers before this one. */
  ahead: z.int().check(z.nonnegative()),
  /** When the turn comes if the charges of the site go on as now; null when that cannot be estimated. */
  turn_at: z.nullable(Instant),
  /** While set, it is this driver's turn: power is kept for them until then. */
  head_start_until: z.nullable(Instant),
  expires_at: Instant,
});
export type SitePlace = z.infer<typeof SitePlace>;

const ByNumber = z.object({ number: StationNumber });

export const SiteQueueState = z.object({
  /** Drivers may wait for power at this connector. */
  is_open: z.boolean(),
  /** How many wait now. */
  waiting: z.int(),
  /** For a driver who would join now; null when it cannot be estimated. */
  turn_at: z.nullable(Instant),
  /** A channel reaches the caller. If not, the place is kept only while the page asks again. */
  is_reachable: z.boolean(),
  place: z.nullable(SitePlace),
});
export type SiteQueueState = z.infer<typeof SiteQueueState>;

export const siteQueueAt = endpoint({
  method: 'GET',
  path: '/api/station/:number/queue',
  summary: "The queue of the station's site, and the caller's place in it",
  access: ['use-app'],
  params: ByNumber,
  query: z.object({ connector: IdText }),
  reply: SiteQueueState,
  refusals: ['not_found', 'closed_station'],
});

export const joinSiteQueue = endpoint({
  method: 'POST',
  path: '/api/station/:number/queue',
  summary: 'Take a place in the queue of a site without power; another connector of the site keeps the place',
  access: ['use-app'],
  params: ByNumber,
  body: z.object({ connector: Id }),
  reply: SitePlace,
  refusals: ['not_found', 'closed_station', 'no_queue', 'too_many_attempts'],
});
