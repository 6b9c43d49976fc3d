import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { anomalyCodes, counterCodes } from '../health.ts';
import { Id, Instant } from '../wire.ts';
import type { OperationAction } from './operation-actions.ts';

/** The action that usually repairs a finding, for a button beside it. The action's own preview says what it will do. */
export const repairOf = {
  'e-sma-01': 'soft_cancel',
  'e-sma-02': 'force_status',
  'e-sma-03': 'force_status',
  'e-sma-04': 'force_status',
  'e-scv-01': 'cancel_payment',
  'e-scv-02': 'finalize',
  'e-scv-03': 'cancel_payment',
  'e-scv-04': 'cancel_payment',
  'e-scv-05': 'force_energy',
} as const satisfies Record<(typeof anomalyCodes)[number] | (typeof counterCodes)[number], OperationAction>;

/** What the machinery noticed beside operations: failing jobs, devices that report the impossible, paused webhooks. */
export const SystemFinding = z.object({
  id: Id,
  kind: z.enum(['job', 'charge_point', 'webhook']),
  /** The job's queue, the identity of the charge point, or the name of the webhook. */
  subject: z.string(),
  code: z.string(),
  times: z.int(),
  first_at: Instant,
  last_at: Instant,
  details: z.record(z.string(), z.unknown()),
});
export type SystemFinding = z.infer<typeof SystemFinding>;

export const systemFindings = endpoint({
  method: 'GET',
  path: '/api/admin/health/system',
  summary: 'Jobs that keep failing and charge points that report what cannot be, the last seen first',
  access: ['access-admin-page', 'monitor-operations'],
  reply: z.array(SystemFinding),
  openInMaintenance: true,
});
