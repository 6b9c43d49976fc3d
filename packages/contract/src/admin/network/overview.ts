import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Id, Instant, KyivDate } from '../../wire.ts';

/**
 * `stuck`: a connector that does not become free by itself, or a charge that ignores its stop. `failing`: three starts in
 * a row have failed.
 */
export const networkProblemKinds = ['stuck', 'faulted', 'failing', 'offline'] as const;

const NetworkProblem = z.object({
  kind: z.enum(networkProblemKinds),
  /** Null for a device that belongs to no station yet. */
  station: z.nullable(z.string()),
  charge_point: Id,
  identity: z.string(),
  lat: z.nullable(z.number()),
  lon: z.nullable(z.number()),
  connector: z.nullable(z.int()),
  /** The error that the device reports. */
  error_code: z.nullable(z.string()),
  operation: z.nullable(Id),
  since: z.nullable(Instant),
});
export type NetworkProblem = z.infer<typeof NetworkProblem>;

/** Why a driver did not charge at the first attempt. */
export const attemptReasons = ['bank', 'not_started', 'rejected', 'fault', 'offline', 'retried', 'other'] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** *Charging success* is `right` of `attempts`, *first attempt* is `first` of `tries`. Shares are made of sums, never of shares. */
export const AttemptCounts = z.object({ attempts: z.int(), right: z.int(), tries: z.int(), first: z.int() });
export type AttemptCounts = z.infer<typeof AttemptCounts>;

const AttemptDay = z.extend(AttemptCounts, { day: KyivDate });

export const networkOverview = endpoint({
  method: 'GET',
  path: '/api/admin/network/overview',
  summary: 'What does not work now, and charging success and first attempts of the last 14 days',
  access: ['access-admin-page', 'view-network'],
  reply: z.object({
    stations: z.int(),
    connectors: z.int(),
    problems: z.array(NetworkProblem),
    /** Stations without a problem, for the map; a large network sends a part of them. */
    healthy: z.array(z.object({ lat: z.number(), lon: z.number() })),
    days: z.array(AttemptDay),
    /** Of today's attempts that were not successful at the first time, with their operations. */
    reasons: z.array(z.object({ reason: z.enum(attemptReasons), operations: z.array(Id), count: z.int() })),
  }),
  openInMaintenance: true,
});
export type NetworkOverview = z.infer<typeof networkOverview.reply>;
