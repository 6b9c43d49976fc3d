import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant, PageQuery } from '../../wire.ts';

const manage = ['access-admin-page', 'manage-integrations'] as const;
const ById = z.object({ id: IdText });

export const webhookKinds = [
  'operation.opened',
  'operation.started',
  'operation.finished',
  'operation.failed',
  'operation.settled',
  'operation.refunded',
] as const;
export const WebhookKind = z.enum(webhookKinds);
export type WebhookKind = z.infer<typeof WebhookKind>;

export const WebhookSettings = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  /** In production an https address that does not lead into a private network. */
  url: z.url({ protocol: /^https?$/ }).check(z.maxLength(500)),
  kinds: z.array(WebhookKind).check(z.minLength(1), z.maxLength(webhookKinds.length)),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;

export const webhookStates = ['active', 'paused_by_staff', 'paused_by_failures'] as const;

const WebhookItem = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  kinds: z.array(WebhookKind),
  state: z.enum(webhookStates),
  /** Attempts that failed in a row. */
  failures: z.int(),
  pending: z.int(),
  /** Deliveries that were given up in the last 30 days. */
  failed: z.int(),
  created_at: Instant,
});
export type WebhookItem = z.infer<typeof WebhookItem>;

export const webhookList = endpoint({
  method: 'GET',
  path: '/api/admin/integrations/webhooks',
  summary: 'Endpoints that get the events of operations',
  access: manage,
  reply: z.array(WebhookItem),
});

/** The secret signs every delivery and is in no other answer. */
const WebhookSecret = z.object({ id: Id, secret: z.string() });

export const addWebhook = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/webhooks',
  summary: 'Adds an endpoint; the answer has the secret of its signatures, which is never shown again',
  access: manage,
  money: noMoney.integration,
  body: WebhookSettings,
  reply: WebhookSecret,
  refusals: ['webhook_address_refused'],
});

export const changeWebhook = endpoint({
  method: 'PATCH',
  path: '/api/admin/integrations/webhooks/:id',
  summary: 'Changes the address and the events of an endpoint',
  access: manage,
  money: noMoney.integration,
  params: ById,
  body: WebhookSettings,
  refusals: ['not_found', 'webhook_address_refused'],
});

export const removeWebhook = endpoint({
  method: 'DELETE',
  path: '/api/admin/integrations/webhooks/:id',
  summary: 'Removes an endpoint; what was not delivered is dropped',
  access: manage,
  money: noMoney.integration,
  params: ById,
  refusals: ['not_found'],
});

export const renewWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/webhooks/:id/secret',
  summary: 'Creates another secret; every later attempt is signed with it',
  access: manage,
  money: noMoney.integration,
  params: ById,
  reply: WebhookSecret,
  refusals: ['not_found'],
});

export const pauseWebhook = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/webhooks/:id/pause',
  summary: 'Sends nothing until the endpoint is resumed; events are kept',
  access: manage,
  money: noMoney.integration,
  params: ById,
  refusals: ['not_found', 'action_not_applicable'],
});

export const resumeWebhook = endpoint({
  method: 'DELETE',
  path: '/api/admin/integrations/webhooks/:id/pause',
  summary: 'Sends the kept events and later ones',
  access: manage,
  money: noMoney.integration,
  params: ById,
  refusals: ['not_found', 'action_not_applicable'],
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/webhooks/:id/test',
  summary: 'Sends an event of the kind `test`',
  access: manage,
  money: noMoney.integration,
  params: ById,
  reply: z.object({ delivery: Id }),
  refusals: ['not_found', 'action_not_applicable'],
});

const WebhookDelivery = z.object({
  id: Id,
  event: z.string(),
  kind: z.string(),
  operation: z.nullable(Id),
  status: z.enum(['pending', 'delivered', 'failed']),
  created_at: Instant,
  /** When the next attempt is planned; null when none is. */
  next_at: z.nullable(Instant),
  attempts: z.int(),
  /** The last ones, the newest first. */
  log: z.array(
    z.object({ at: Instant, took_ms: z.int(), http_status: z.nullable(z.int()), error: z.nullable(z.string()) }),
  ),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const webhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/admin/integrations/webhooks/:id/deliveries',
  summary: 'Deliveries of the last 30 days, the newest first',
  access: manage,
  params: ById,
  query: PageQuery,
  reply: z.array(WebhookDelivery),
  refusals: ['not_found'],
});

export const redeliverWebhook = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/deliveries/:id/redeliver',
  summary: 'Sends the same event again, under the same id',
  access: manage,
  money: noMoney.integration,
  params: ById,
  refusals: ['not_found', 'action_not_applicable'],
});
