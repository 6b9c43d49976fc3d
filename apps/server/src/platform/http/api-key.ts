import type { Endpoint } from '@fpay/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Viewer } from './session.ts';

/** The key with which a program made a call, and the user whose key it is. */
export interface ApiKeyCaller {
  id: number;
  viewer: Viewer;
}

/** Access by key instead of a session. The platform only calls it; the integrations feature implements it with its table. */
export interface ApiKeys {
  /**
   * Counts the call against the limit of the key.
   * @refuses api_key_invalid, api_key_expired, api_key_revoked, api_key_scope, too_many_attempts
   */
  admit(key: string, endpoint: Endpoint, ip: string): Promise<ApiKeyCaller>;
}

/** The key of `Authorization: Bearer …`; null when the request has no such header. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  const [, key] = /^Bearer\s+(\S*)\s*$/i.exec(headers.authorization ?? '') ?? [];
  return key ?? null;
}
