import * as z from 'zod/mini';
import { ConnectorType } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks, WattHours, Watts } from './money.ts';
import { HoldStatus, PaymentStatus } from './payments.ts';
import { hundredthsOf } from './price.ts';
import { Id, IdText, Instant } from './wire.ts';

export const operationStatuses = [
  'created',
  'pending',
  'starting',
  'ongoing',
  'finishing',
  'finished',
  'pending_final_payment',
  'canceled',
  'failed',
  'failed_hold',
] as const;
export const OperationStatus = z.enum(operationStatuses);
export type OperationStatus = z.infer<typeof OperationStatus>;

/** While one of these, the connector is taken and the user has an open operation. */
export const openStatuses = [
  'created',
  'pending',
  'starting',
  'ongoing',
  'finishing',
] as const satisfies OperationStatus[];

export type OpenStatus = (typeof openStatuses)[number];

export function isOpen(status: OperationStatus): status is OpenStatus {
  return (openStatuses as readonly OperationStatus[]).includes(status);
}

/** As request and pages say it → as it is stored and shown to staff. */
export const PaymentType = z.enum(['bank', 'bonuses', 'free']);
export type PaymentType = z.infer<typeof PaymentType>;

/** kWh or UAH as the driver typed it, at most two decimals; becomes whole hundredths at once. */
export const TypedAmount = z.pipe(
  z.union([z.string().check(z.maxLength(20)), z.number()]),
  z.transform((typed, context) => {
    const hundredths = hundredthsOf(String(typed));
    if (hundredths !== null) return hundredths;
    context.issues.push({
      code: 'custom',
      message: 'The amount must be a number with at most 2 decimals.',
      input: typed,
    });
    return z.NEVER;
  }),
);

export const Operation = z.object({
  id: Id,
  status: OperationStatus,
  /** The station's number and addresses. */
  number: z.string(),
  address: z.string(),
  address_uk: z.string(),
  connector_type: ConnectorType,
  connector_number: z.string(),
  connector_power: Watts,
  /** The deposit. */
  amount: Kopecks,
  payment_type: PaymentType,
  price: Kopecks,
  energy_limit: z.nullable(WattHours),
  total: Kopecks,
  real_total: Kopecks,
  percentage: z.nullable(z.int()),
  energy: WattHours,
  /** W and A; -1 when the device does not say. */
  power: z.int(),
  current: z.number(),
  soc: z.nullable(z.int()),
  /** Seconds, from the present power; null when unknown. */
  time_left: z.nullable(z.int()),
  start_attempt: z.int(),
  max_attempts: z.int(),
  hold_status: z.nullable(HoldStatus),
  payment_status: PaymentStatus,
  rating: z.nullable(z.int()),
  rating_comment: z.nullable(z.string()),
  stop_requested: z.boolean(),
  /** The charger has not obeyed for 30 s: the driver should press the button at the station, or call. */
  stop_ignored: z.boolean(),
  /** The device behind it answers; false while it is away in mid-charge. */
  is_online: z.boolean(),
  /** Only while unpaid: the way back to the bank. */
  page_url: z.nullable(z.string()),
  fiscal_url: z.nullable(z.string()),
  failure_reason: z.nullable(z.string()),
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
});
export type Operation = z.infer<typeof Operation>;

const ById = z.object({ id: IdText });

export const newPayment = endpoint({
  method: 'POST',
  path: '/api/payment/new',
  summary: 'Open an operation: set the deposit aside and start charging',
  access: ['use-app'],
  body: z.object({
    amount: TypedAmount,
    payment_type: z.enum(['card', 'balance']),
    target: z.enum(['kwh', 'uah']),
    connector: Id,
    ref_id: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    /** Per kWh, as the page showed it. When the tariff has changed since, the answer is 409 with the new one as `price`. */
    price: z.optional(Kopecks),
  }),
  /** The bank's page, or `s:<operation id>` when nothing more is to be paid. */
  reply: z.object({ page_url: z.string() }),
  refusals: [
    'insufficient_balance',
    'only_for_registered',
    'closed_station',
    'not_found',
    'connector_taken',
    'connector_not_ready',
    'connector_out_of_service',
    'operation_open',
    'price_changed',
    'too_many_attempts',
    'bank_away',
    'pricing_unavailable',
  ],
  movesMoney: true,
});

export const getOperation = endpoint({
  method: 'GET',
  path: '/api/operation/:id',
  summary: 'One operation of the caller, or any for staff who monitor operations',
  access: ['use-app'],
  params: ById,
  reply: Operation,
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const stopOperation = endpoint({
  method: 'POST',
  path: '/api/operation/stop/:id',
  summary: 'Ask for the end: before power flows it is canceled, while it flows the device is told to stop',
  access: ['use-app'],
  params: ById,
  reply: z.object({ status: OperationStatus }),
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const softStop = endpoint({
  method: 'POST',
  path: '/api/admin/operation/soft-stop/:id',
  summary: 'Ask for the end as the driver would: the device is told to stop, or what has not begun is canceled',
  access: ['access-admin-page', 'manipulate-operations'],
  params: ById,
  reply: z.object({ status: OperationStatus }),
  refusals: ['not_found'],
  openInMaintenance: true,
});

/** What became of the cable: `not_supported`: it has no lock of its own, `offline`: the charge point cannot be reached. */
export const UnlockOutcome = z.enum(['unlocked', 'failed', 'not_supported', 'offline']);
export type UnlockOutcome = z.infer<typeof UnlockOutcome>;

export const unlockOperation = endpoint({
  method: 'POST',
  path: '/api/operation/unlock/:id',
  summary: 'Let go of a cable that stayed locked after the end; for half an hour, while nobody else has charged there',
  access: ['use-app'],
  params: ById,
  reply: z.object({ status: UnlockOutcome }),
  refusals: ['not_found', 'operation_open', 'connector_taken'],
  openInMaintenance: true,
});

export const ActiveOperation = z.object({
  id: Id,
  status: OperationStatus,
  connectorType: ConnectorType,
  connectorAddress: z.string(),
  connectorPower: Watts,
  deposit: Kopecks,
  station_number: z.string(),
  energy: WattHours,
  total: Kopecks,
});
export type ActiveOperation = z.infer<typeof ActiveOperation>;

export const activeOperations = endpoint({
  method: 'GET',
  path: '/api/user/transactions/active',
  summary: "The caller's open operations",
  access: ['use-app'],
  reply: z.array(ActiveOperation),
  openInMaintenance: true,
});

export const operationLog = endpoint({
  method: 'GET',
  path: '/api/admin/logs/operation/:id',
  summary: 'The story of an operation, line by line',
  access: ['access-admin-page', 'access-operation-log'],
  params: ById,
  produces: 'text/plain',
  refusals: ['not_found'],
  openInMaintenance: true,
});
