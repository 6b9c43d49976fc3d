import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant } from '../../wire.ts';

const manage = ['access-admin-page', 'manage-integrations'] as const;
const ById = z.object({ id: IdText });

/** What a key may be used for. `api-scopes.ts` names the calls of each. */
export const apiScopes = ['stations', 'operations', 'statistics', 'webhooks'] as const;
export const ApiScope = z.enum(apiScopes);
export type ApiScope = z.infer<typeof ApiScope>;

/** `active` keys work; a key is `ownerless` when the user who created it may not manage integrations any more. */
export const apiKeyStates = ['active', 'expired', 'revoked', 'ownerless'] as const;

const ApiKeyItem = z.object({
  id: Id,
  name: z.string(),
  /** The beginning of the key, by which its users recognise it. */
  prefix: z.string(),
  scopes: z.array(ApiScope),
  calls_per_minute: z.int(),
  staff: z.string(),
  state: z.enum(apiKeyStates),
  created_at: Instant,
  expires_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
  revoked_at: z.nullable(Instant),
});
export type ApiKeyItem = z.infer<typeof ApiKeyItem>;

export const apiKeyList = endpoint({
  method: 'GET',
  path: '/api/admin/integrations/keys',
  summary: 'API keys, the newest first',
  access: manage,
  reply: z.array(ApiKeyItem),
});

export const NewApiKey = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  scopes: z.array(ApiScope).check(z.minLength(1), z.maxLength(apiScopes.length)),
  calls_per_minute: z.int().check(z.gte(1), z.lte(6_000)),
  /** Null: the key works until it is revoked. */
  expires_at: z.nullable(Instant),
});
export type NewApiKey = z.infer<typeof NewApiKey>;

export const addApiKey = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/keys',
  summary: 'Creates a key; the answer has the key itself, which is never shown again',
  access: manage,
  money: noMoney.integration,
  body: NewApiKey,
  reply: z.object({ id: Id, key: z.string() }),
});

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/admin/integrations/keys/:id',
  summary: 'Revokes a key; every node refuses it from then on',
  access: manage,
  money: noMoney.integration,
  params: ById,
  refusals: ['not_found', 'action_not_applicable'],
});
