import * as z from 'zod/mini';
import { ConnectorType } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { IdleFee, OperationIdle } from './idle-fee.ts';
import { Kopecks, WattHours, Watts } from './money.ts';
import { DeclineReason, HoldStatus, PaymentStatus } from './payments.ts';
import { hundredthsOf } from './price.ts';
import { Unpaid } from './unpaid.ts';
import { WentBack } from './went-back.ts';
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

/** In these statuses the connector is taken and the user has an open operation. */
export const openStatuses = [
  'created',
  'pending',
  'starting',
  'ongoing',
  'finishing',
] as const satisfies OperationStatus[];

export type OpenStatus = (typeof openStatuses)[number];

/** The driver has the connector, but no power flows yet. */
export const beforePowerStatuses = ['created', 'pending', 'starting'] as const satisfies OpenStatus[];
/** The deposit is secured, and the device is expected to start. */
export const awaitedStatuses = ['pending', 'starting'] as const satisfies OpenStatus[];
/** Power may flow, so energy and limits are watched. */
export const chargingStatuses = ['ongoing', 'finishing'] as const satisfies OpenStatus[];
/** The device was asked to start and has not reported the end. */
export const atDeviceStatuses = ['starting', ...chargingStatuses] as const satisfies OpenStatus[];
/** Open, with a deposit that is secured. */
export const securedStatuses = [...awaitedStatuses, ...chargingStatuses] as const satisfies OpenStatus[];

/** Energy was delivered and has a price, although the money may still be on its way. */
export const billedStatuses = ['finished', 'pending_final_payment'] as const satisfies OperationStatus[];
export const failedStatuses = ['failed', 'failed_hold'] as const satisfies OperationStatus[];
/** It ended and the driver pays nothing. */
export const unbilledStatuses = ['canceled', ...failedStatuses] as const satisfies OperationStatus[];
/** Nothing about it will change. */
export const finalStatuses = ['finished', ...unbilledStatuses] as const satisfies OperationStatus[];
export const endedStatuses = [...billedStatuses, ...unbilledStatuses] as const satisfies OperationStatus[];

/** Whether a status, also one that was read from the database as text, is in one of the sets above. */
export function isAmong<Status extends string>(statuses: readonly Status[], status: string | null): status is Status {
  return (statuses as readonly (string | null)[]).includes(status);
}

export function isOpen(status: OperationStatus): status is OpenStatus {
  return isAmong(openStatuses, status);
}

/** Maps the value in requests and pages to the value that is stored and shown to staff. */
export const PaymentType = z.enum(['bank', 'bonuses', 'free']);
export type PaymentType = z.infer<typeof PaymentType>;

/** kWh or UAH as the driver typed it, with at most two decimals. It is converted to whole hundredths at once. */
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

/** A receipt is about captured money, so a charge whose money was never captured has none. */
export function hasReceipt(operation: { status: string; payment_type: string; captured: number | null }): boolean {
  return operation.status === 'finished' && operation.payment_type !== 'free' && (operation.captured ?? 0) > 0;
}

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
  /** Energy and idle fee together. */
  total: Kopecks,
  real_total: Kopecks,
  /** Null when the tariff had no idle fee. */
  idle: z.optional(z.nullable(OperationIdle)),
  percentage: z.nullable(z.int()),
  energy: WattHours,
  /** W and A; -1 when the device does not report it. */
  power: z.int(),
  current: z.number(),
  /** The connectors of the site share its power: what this charge may take now. Null when nothing limits it. */
  power_share: z.optional(z.nullable(Watts)),
  /** Its site had no power for the charge: it did not start, or it was stopped. */
  site_cause: z.optional(z.nullable(z.enum(['full', 'limit']))),
  soc: z.nullable(z.int()),
  /** Seconds, estimated from the present power; null when unknown. */
  time_left: z.nullable(z.int()),
  start_attempt: z.int(),
  max_attempts: z.int(),
  /** When the latest reading arrived; null before the first. */
  read_at: z.nullable(Instant),
  /** Seconds without a reading: then its power is old, and then the station does not answer. By `server_time`. */
  stale_after: z.int(),
  silent_after: z.int(),
  server_time: Instant,
  /** The name of the car that the driver had chosen. */
  car: z.nullable(z.string()),
  /** The last digits of the card, as `*4821`; null while it is not known or for another way to pay. */
  card: z.nullable(z.string()),
  /** The card was charged more than the charge costs, so the rest goes back to it. A hold is only released. */
  is_overcharged: z.boolean(),
  refunded: z.optional(z.nullable(WentBack)),
  /** Set only when the bank declined the card. */
  decline_reason: z.nullable(DeclineReason),
  hold_status: z.nullable(HoldStatus),
  payment_status: PaymentStatus,
  rating: z.nullable(z.int()),
  rating_comment: z.nullable(z.string()),
  stop_requested: z.boolean(),
  /**
   * True when the charge point has not stopped for 30 s. The driver should press the button at the station, or call.
   */
  stop_ignored: z.boolean(),
  /** False as soon as the charge point has lost its connection during a charge. */
  is_online: z.boolean(),
  /** Link to the bank's page; set only while the operation is unpaid. */
  page_url: z.nullable(z.string()),
  fiscal_url: z.nullable(z.string()),
  /** Whether there is a receipt to save: money was captured for a finished charge. */
  has_receipt: z.boolean(),
  failure_reason: z.nullable(z.string()),
  /** What a promotion would have returned, had its budget of the day not been used up; null: nothing was missed. */
  missed_reward: z.optional(z.nullable(Kopecks)),
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
});
export type Operation = z.infer<typeof Operation>;

const ById = z.object({ id: IdText });

export const newPayment = endpoint({
  method: 'POST',
  path: '/api/payment/new',
  beforeConfirmation: true,
  summary: 'Open an operation: set the deposit aside and start charging',
  access: ['use-app'],
  body: z.object({
    amount: TypedAmount,
    payment_type: z.enum(['card', 'balance']),
    target: z.enum(['kwh', 'uah']),
    connector: Id,
    ref_id: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    /**
     * Price per kWh that the page showed. When the tariff has changed since, the answer is 409 with the new one as
     * `price`.
     */
    price: z.optional(Kopecks),
    /** The idle fee that the page showed, with the same answer when it has changed since. Null: none was shown. */
    idle: z.optional(z.nullable(IdleFee)),
    /** The saved card that pays, for `card`; without it the bank's page is opened. */
    card: z.optional(z.nullable(Id)),
    /** The driver agrees that the bank saves the card of this payment. */
    save_card: z.optional(z.boolean()),
  }),
  /** The bank's page, or `s:<operation id>` when there is no page to open: nothing to pay, or a saved card pays. */
  reply: z.object({ page_url: z.string() }),
  refusals: [
    'insufficient_balance',
    'confirmation_required',
    'only_for_registered',
    'closed_station',
    'not_found',
    'card_not_found',
    'card_expired',
    'connector_taken',
    'connector_not_ready',
    'connector_out_of_service',
    'operation_open',
    'price_changed',
    'site_full',
    'too_many_attempts',
    'bank_away',
    'pricing_unavailable',
  ],
  movesMoney: true,
});

export const getOperation = endpoint({
  method: 'GET',
  path: '/api/operation/:id',
  beforeConfirmation: true,
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
  beforeConfirmation: true,
  summary:
    'Request the end: before power flows the operation is canceled, afterwards the charge point gets a stop command',
  access: ['use-app'],
  params: ById,
  reply: z.object({ status: OperationStatus }),
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const withdrawOperation = endpoint({
  method: 'POST',
  path: '/api/operation/withdraw/:id',
  beforeConfirmation: true,
  summary: 'Cancel an unpaid operation and its invoice. One that was paid a moment ago goes on, as the answer says',
  access: ['use-app'],
  params: ById,
  reply: z.object({ status: OperationStatus }),
  refusals: ['not_found'],
});

/** Result of an unlock: `not_supported` means that the cable has no lock, `offline` that the charge point is away. */
export const UnlockOutcome = z.enum(['unlocked', 'failed', 'not_supported', 'offline']);
export type UnlockOutcome = z.infer<typeof UnlockOutcome>;

export const unlockOperation = endpoint({
  method: 'POST',
  path: '/api/operation/unlock/:id',
  beforeConfirmation: true,
  summary:
    'Unlock a cable that is stuck after the end; for half an hour, and only until the next charge on the connector',
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
  unpaid: z.optional(z.nullable(Unpaid)),
});
export type ActiveOperation = z.infer<typeof ActiveOperation>;

export const activeOperations = endpoint({
  method: 'GET',
  path: '/api/user/transactions/active',
  beforeConfirmation: true,
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
