import * as z from 'zod/mini';
import type { WebhookKind } from './admin/integrations/webhooks.ts';
import { OperationStatus, PaymentType } from './charging.ts';
import { Kopecks, WattHours } from './money.ts';
import { Id, Instant } from './wire.ts';

/** An operation as receivers of webhooks see it at the moment of the event. Nothing in it is about the driver. */
const WebhookOperation = z.object({
  id: Id,
  status: OperationStatus,
  /** The number of the station, as on its code. */
  station: z.string(),
  connector: Id,
  /** How the driver began: in the app, or with a card at the charger. */
  source: z.enum(['app', 'rfid']),
  payment_type: PaymentType,
  /** Kopecks per kWh. */
  price: Kopecks,
  energy_wh: WattHours,
  total: Kopecks,
  /** The first cause of the end; null while there is none. */
  stop_cause: z.nullable(z.string()),
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
});

const OfOperation = z.object({ operation: WebhookOperation });
export const WebhookRefund = z.object({
  amount: Kopecks,
  /** Everything that went back so far, with this amount. */
  refunded_total: Kopecks,
});
export type WebhookRefund = z.infer<typeof WebhookRefund>;

/** What an endpoint may get: the events that it chooses, and the test of staff. */
export type WebhookType = WebhookKind | 'test';

/** Every event with its moment and the `data` of its body. The server stores no other data outside production. */
export const webhookEvents = {
  'operation.opened': { when: 'A driver has chosen a connector.', data: OfOperation },
  'operation.started': { when: 'Power flows.', data: OfOperation },
  'operation.finished': { when: 'The charge has ended and its energy is fixed.', data: OfOperation },
  'operation.failed': {
    when: 'It ended without energy: not paid, withdrawn, or not started; `status` says which.',
    data: OfOperation,
  },
  'operation.settled': { when: 'It is paid.', data: OfOperation },
  'operation.refunded': {
    when: 'Money went back; `refund` has the amount.',
    data: z.extend(OfOperation, { refund: WebhookRefund }),
  },
  test: { when: 'Staff pressed the button.', data: z.object({ message: z.string() }) },
} as const satisfies Record<WebhookType, { when: string; data: z.core.$ZodType }>;

/** The body of a delivery. */
export const webhookBody = (type: WebhookType) =>
  z.object({
    /** The same in every repetition. */
    id: z.uuid(),
    type: z.literal(type),
    created_at: Instant,
    data: webhookEvents[type].data as z.core.$ZodType,
  });
