import * as z from 'zod/mini';
import { ConnectorType } from '../../connectors.ts';
import { endpoint } from '../../endpoint.ts';
import { Language } from '../../person.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant } from '../../wire.ts';

const view = ['access-admin-page', 'view-network'] as const;
const perform = [...view, 'interact-with-stations'] as const;
const ById = z.object({ id: IdText });

/** In the order in which a technician does them. `plugged` and `unlocked` exist once for each connector. */
export const commissioningChecks = [
  'connected',
  'booted',
  'clock',
  'configured',
  'plugged',
  'charged',
  'metered',
  'unlocked',
] as const;
export const CommissioningCheck = z.enum(commissioningChecks);
export type CommissioningCheck = z.infer<typeof CommissioningCheck>;

const CommissioningStep = z.object({
  check: CommissioningCheck,
  /** The number on the device; null for the whole charge point. */
  connector: z.nullable(z.int()),
  type: z.nullable(ConnectorType),
  /** The first step that is open is `active`; `fault` was recorded by the technician. */
  state: z.enum(['done', 'active', 'open', 'fault']),
  /** What was seen: a firmware, seconds, keys; it is not translated. */
  seen: z.nullable(z.string()),
  /** What the technician wrote about a fault. */
  note: z.nullable(z.string()),
});
export type CommissioningStep = z.infer<typeof CommissioningStep>;

export const Commissioning = z.object({
  id: Id,
  charge_point: z.object({ id: Id, identity: z.string(), station: z.nullable(z.string()) }),
  staff: z.string(),
  started_at: Instant,
  finished_at: z.nullable(Instant),
  steps: z.array(CommissioningStep),
});
export type Commissioning = z.infer<typeof Commissioning>;

export const getCommissioning = endpoint({
  method: 'GET',
  path: '/api/admin/network/charge-points/:id/commissioning',
  summary: 'The newest commissioning of a charge point; null when there is none',
  access: view,
  params: ById,
  reply: z.nullable(Commissioning),
  refusals: ['not_found'],
});

export const startCommissioning = endpoint({
  method: 'POST',
  path: '/api/admin/network/charge-points/:id/commissioning',
  summary: 'Begins a commissioning; one that is open is returned instead, so that another phone continues it',
  access: perform,
  money: noMoney.network,
  params: ById,
  reply: Commissioning,
  refusals: ['not_found'],
});

export const recordFault = endpoint({
  method: 'POST',
  path: '/api/admin/network/commissionings/:id/fault',
  summary: 'Records that a step failed, and goes on',
  access: perform,
  money: noMoney.network,
  params: ById,
  body: z.object({
    check: CommissioningCheck,
    connector: z.nullable(z.int().check(z.gte(1), z.lte(100))),
    /** Empty: the fault is withdrawn. */
    note: z.string().check(z.maxLength(500)),
  }),
  reply: Commissioning,
  refusals: ['not_found', 'action_not_applicable'],
});

export const finishCommissioning = endpoint({
  method: 'POST',
  path: '/api/admin/network/commissionings/:id/finish',
  summary: 'Keeps the result; every step must be done or have a fault',
  access: perform,
  money: noMoney.network,
  params: ById,
  reply: Commissioning,
  refusals: ['not_found', 'action_not_applicable'],
});

export const commissioningReport = endpoint({
  method: 'GET',
  path: '/api/admin/network/commissionings/:id/report',
  summary: 'The result of a finished commissioning, as PDF',
  access: view,
  params: ById,
  query: z.object({ language: z.optional(Language) }),
  produces: 'application/pdf',
  refusals: ['not_found', 'action_not_applicable'],
});
