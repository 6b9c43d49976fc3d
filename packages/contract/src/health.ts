import * as z from 'zod/mini';
import { OperationStatus } from './charging.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks, WattHours } from './money.ts';
import { HoldStatus } from './payments.ts';
import { Id, Instant } from './wire.ts';

const access = ['access-admin-page', 'monitor-operations'] as const;

/** Codes for an operation and a payment that contradict each other. */
export const anomalyCodes = ['e-sma-01', 'e-sma-02', 'e-sma-03', 'e-sma-04'] as const;
export const Anomaly = z.object({
  operation_id: Id,
  payment_id: z.nullable(Id),
  operation_status: OperationStatus,
  payment_status: z.nullable(HoldStatus),
  code: z.enum(anomalyCodes),
});

/** Codes for sums that do not match. */
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

/** What the watchdogs stopped in the last 7 days, and what they will stop soon. */
export const Termination = z.object({
  id: Id,
  total: Kopecks,
  amount: Kopecks,
  type: z.string(),
  /** Still open: the watchdog has asked for the stop, or waits for the station. */
  is_pending: z.boolean(),
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
});

export const getAnomalies = endpoint({
  method: 'GET',
  path: '/api/admin/health/statuses',
  summary: 'Operations that contradict their payment',
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
