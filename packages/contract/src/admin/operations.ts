import * as z from 'zod/mini';
import { OperationStatus, PaymentType } from '../charging.ts';
import { ConnectorType } from '../connectors.ts';
import { endpoint } from '../endpoint.ts';
import { IdleFee } from '../idle-fee.ts';
import { Kopecks, WattHours, Watts } from '../money.ts';
import { HoldStatus, PaymentStatus } from '../payments.ts';
import { moneyAnswers, noMoney } from '../staff-money.ts';
import { Id, IdText, Instant } from '../wire.ts';
import { HoldFilter, StationText, StatusFilter, UserText } from './filters.ts';
import { OperationAction } from './operation-actions.ts';
import { SortText } from './sorts.ts';

const monitor = ['access-admin-page', 'monitor-operations'] as const;
const ById = z.object({ id: IdText });

/** All filters are optional, and null means the same as absent. */
export const OperationFilters = z.object({
  station: z.optional(z.nullable(StationText)),
  user: z.optional(z.nullable(UserText)),
  status: z.optional(z.nullable(StatusFilter)),
  hold: z.optional(z.nullable(HoldFilter)),
  payment_type: z.optional(z.nullable(PaymentType)),
  /** Created at or after this instant. */
  from: z.optional(z.nullable(Instant)),
  /** Created before this instant. */
  to: z.optional(z.nullable(Instant)),
  /** The last id of the page that the caller already has. */
  before: z.optional(z.nullable(Id)),
});
export type OperationFilters = z.infer<typeof OperationFilters>;

export const AdminOperationItem = z.object({
  id: Id,
  status: OperationStatus,
  hold: z.nullable(HoldStatus),
  payment: PaymentStatus,
  payment_type: PaymentType,
  user: z.object({ id: Id, name: z.string(), phone_number: z.string() }),
  station: z.string(),
  total: Kopecks,
  /** Of the total: what could not be collected, went back to the driver, and was returned by promotions. Net is the rest. */
  lost: Kopecks,
  refunded: Kopecks,
  rewards: Kopecks,
  net: z.int(),
  amount: Kopecks,
  energy: WattHours,
  datetime: Instant,
  /** Support notes on this operation. */
  notes: z.int(),
});
export type AdminOperationItem = z.infer<typeof AdminOperationItem>;

export const operationCounts = { default: 50, ofUser: 100, most: 500 } as const;

export const lastOperations = endpoint({
  method: 'POST',
  path: '/api/admin/operations/last/:count',
  summary: 'The last operations that match the filters, newest first or in another order',
  onlyReads: true,
  access: monitor,
  money: noMoney.reads,
  params: z.object({
    count: z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/)),
      z.pipe(
        z.transform((text: string) => Number(text)),
        z.int().check(z.gte(1), z.lte(operationCounts.most)),
      ),
    ),
  }),
  body: z.extend(OperationFilters, {
    /** `-total`: the largest total first; `id`, `total`, `amount` or `energy`, over the whole list. */
    sort: SortText,
    /** What the sort compares in the row of `before`, because the total of an open charge grows between two pages. */
    before_value: z.optional(z.nullable(z.int().check(z.gte(0)))),
  }),
  reply: z.array(AdminOperationItem),
  refusals: ['unknown_sort'],
  openInMaintenance: true,
});

/** Counting stops here: a page says '10000+' instead of waiting for a scan of the whole table. */
export const mostCounted = 10_000;

export const countOperations = endpoint({
  method: 'POST',
  path: '/api/admin/operations/count',
  summary: 'How many operations match the filters, up to 10000',
  onlyReads: true,
  access: monitor,
  money: noMoney.reads,
  body: OperationFilters,
  reply: z.object({ count: z.int(), is_more: z.boolean() }),
  openInMaintenance: true,
});

export const AdminOperation = z.object({
  operation_id: Id,
  transaction_id: z.nullable(Id),
  user_id: Id,
  payment_id: z.nullable(Id),
  charge_point_id: Id,
  /** The OCPP identity of the charge point. */
  charge_point: z.string(),
  is_online: z.boolean(),
  station_number: z.string(),
  connector_id: Id,
  connector_number: z.string(),
  connector_type: ConnectorType,
  connector_power: Watts,
  address: z.string(),
  address_uk: z.string(),
  user_name: z.string(),
  phone_number: z.string(),
  user_balance: Kopecks,
  car: z.nullable(z.string()),
  status: OperationStatus,
  source: z.enum(['app', 'rfid']),
  payment_type: PaymentType,
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  closed_at: z.nullable(Instant),
  energy_limit: z.nullable(WattHours),
  amount: Kopecks,
  price: Kopecks,
  energy: WattHours,
  total: Kopecks,
  real_total: Kopecks,
  /** Kopecks per minute and the grace time, as they were when it was opened. Null when there was no idle fee. */
  idle: z.optional(z.nullable(IdleFee)),
  /** The idle time that was observed, and its part of the total. */
  idle_seconds: z.optional(z.int()),
  idle_total: z.optional(Kopecks),
  lost: Kopecks,
  /** A and W; -1 when unknown. */
  current: z.number(),
  power: z.int(),
  soc: z.nullable(z.int()),
  stop_cause: z.nullable(z.string()),
  stop_reason: z.nullable(z.string()),
  invoice_id: z.nullable(z.string()),
  payment_total: z.nullable(Kopecks),
  payment_amount: z.nullable(Kopecks),
  hold_status: z.nullable(HoldStatus),
  payment_status: PaymentStatus,
  /** Staff forced the payment's status by hand. */
  is_overridden: z.boolean(),
  failure_reason: z.nullable(z.string()),
  comment: z.nullable(z.string()),
  notes: z.int(),
  /** The actions that make sense in this state and that the caller's role may take. */
  actions: z.array(OperationAction),
  /** Whether the caller may decide about the money of this operation. */
  own_money: z.enum(moneyAnswers),
});
export type AdminOperation = z.infer<typeof AdminOperation>;

export const adminOperation = endpoint({
  method: 'GET',
  path: '/api/admin/operation/:id',
  summary: 'One operation with everything that staff need to know about it',
  access: monitor,
  params: ById,
  reply: AdminOperation,
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const timelineKinds = [
  'opened',
  'held',
  'start_sent',
  'started',
  'first_reading',
  'last_reading',
  'stop_requested',
  'stopped',
  'captured',
  'refunded',
  'released',
  'ended',
  'staff',
  'note',
] as const;
export const TimelineStep = z.object({
  kind: z.enum(timelineKinds),
  at: Instant,
  /** Kopecks, where the step is about a sum. */
  amount: z.nullable(Kopecks),
  /** What staff did or wrote, or who stopped the charge. */
  text: z.nullable(z.string()),
});
export type TimelineStep = z.infer<typeof TimelineStep>;

export const operationTimeline = endpoint({
  method: 'GET',
  path: '/api/admin/operation/timeline/:id',
  summary: 'The milestones of an operation in the order of time',
  access: monitor,
  params: ById,
  reply: z.array(TimelineStep),
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const OperationCurve = z.object({
  began_at: z.nullable(Instant),
  /** Three lists of the same length, at most 200 points. A null power: that reading had none. */
  seconds: z.array(z.int()),
  energy: z.array(z.int()),
  power: z.array(z.nullable(z.int())),
});
export type OperationCurve = z.infer<typeof OperationCurve>;

export const operationCurve = endpoint({
  method: 'GET',
  path: '/api/admin/operation/curve/:id',
  summary: 'Energy and power of an operation over time',
  access: monitor,
  params: ById,
  reply: OperationCurve,
  refusals: ['not_found'],
  openInMaintenance: true,
});
