import * as z from 'zod/mini';
import { OperationStatus } from './charging.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks, WattHours } from './money.ts';
import { HoldStatus } from './payments.ts';
import { Id, Instant } from './wire.ts';

const access = ['access-admin-page', 'monitor-operations'] as const;

/** Operation and payment tell different stories. */
export const anomalyCodes = ['e-sma-01', 'e-sma-02', 'e-sma-03', 'e-sma-04'] as const;
export const Anomaly = z.object({
  operation_id: Id,
  payment_id: z.nullable(Id),
  operation_status: OperationStatus,
  payment_status: z.nullable(HoldStatus),
  code: z.enum(anomalyCodes),
});

/** Sums that do not add up. */
export const counterCodes = ['e-scv-01', 'e-scv-02', 'e-scv-03', 'e-scv-04', 'e-scv-05'] as const;
export const CounterMismatch = z.object({
  operation_id: Id,
  payment_id: z.nullable(Id),
  payment_amount: z.nullable(Kopecks),
  payment_total: z.nullable(Kopecks),
  operation_total: Kopecks,
  energy: WattHours,
  operation_status: OperationStatus,
  payment_status: z.nullable(HoldStatus),
  code: z.enum(counterCodes),
  created_at: Instant,
});

/** What the watchdogs stopped in the last 7 days, and what they are about to. */
export const Termination = z.object({
  id: Id,
  total: Kopecks,
  amount: Kopecks,
  type: z.string(),
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
});

export const getAnomalies = endpoint({
  method: 'GET',
  path: '/api/admin/health/statuses',
  summary: 'Operations whose payment tells another story',
  access,
  reply: z.array(Anomaly),
  openInMaintenance: true,
});

export const getCounters = endpoint({
  method: 'GET',
  path: '/api/admin/health/counters',
  summary: 'Operations whose sums do not add up, or whose energy is suspicious',
  access,
  reply: z.array(CounterMismatch),
  openInMaintenance: true,
});

export const getTerminations = endpoint({
  method: 'GET',
  path: '/api/admin/health/terminator',
  summary: 'Operations that the watchdogs stopped',
  access,
  reply: z.array(Termination),
  openInMaintenance: true,
});
