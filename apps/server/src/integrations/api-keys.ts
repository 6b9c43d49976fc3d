import { createHash, randomBytes } from 'node:crypto';
import type { ApiScope } from '@fpay/contract/admin/integrations/api-keys';
import { scopeCalls } from '@fpay/contract/api-scopes';
import type { Endpoint } from '@fpay/contract/endpoint';
import { can, knownRole, type Role } from '@fpay/contract/roles';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { ApiKeys } from '../platform/http/api-key.ts';
import { addressKey, type RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';

const keyPattern = /^fpk_[\w-]{43}$/;
/** `fpk_` and six characters of 43; the other 37 have 222 bits. */
const prefixLength = 10;
const windowMs = 60_000;
/** A program with a wrong key repeats it; a search over keys would have to be stopped before the database is asked. */
const wrongPerAddress = { most: 60, windowMs };

export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export function newApiKey(): { key: string; prefix: string; hash: Buffer } {
  const key = `fpk_${randomBytes(32).toString('base64url')}`;
  return { key, prefix: key.slice(0, prefixLength), hash: hashOfKey(key) };
}

/** A key has no more rights than the user who created it, so that staff who leave keep no way in. */
export const mayOwnKeys = (role: Role): boolean => can(role, 'access-admin-page') && can(role, 'manage-integrations');

/**
 * Revokes the keys of a user whose new role may not have any, in the step that gives the role. Otherwise a key would work
 * again when its owner gets the right back. Returns what was revoked.
 */
export async function revokeKeys(step: Step, user: number, role: Role, now: Date): Promise<number[]> {
  if (mayOwnKeys(role)) return [];
  const rows = await step.db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('staff_id', '=', user)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Which scopes a call is in; most calls are in none. */
const scopesOf = new Map<Endpoint, Set<string>>();
for (const [scope, calls] of Object.entries(scopeCalls)) {
  for (const call of calls) scopesOf.set(call, (scopesOf.get(call) ?? new Set()).add(scope));
}

export function isInScope(endpoint: Endpoint, scopes: readonly string[]): boolean {
  const allowed = scopesOf.get(endpoint);
  return allowed !== undefined && scopes.some((scope) => allowed.has(scope as ApiScope));
}

interface Dependencies {
  db: Database;
  clock: Clock;
  limits: RateLimits;
}

/** Nothing is cached: a revoked key is refused by every node as soon as the revocation is committed. */
export function createApiKeys({ db, clock, limits }: Dependencies): ApiKeys {
  async function find(key: string) {
    if (!keyPattern.test(key)) return undefined;
    return db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.staff_id')
      .select([
        'api_keys.id',
        'api_keys.scopes',
        'api_keys.calls_per_minute',
        'api_keys.staff_id',
        'api_keys.expires_at',
        'api_keys.last_used_at',
        'api_keys.revoked_at',
        'users.role',
      ])
      .where('api_keys.key_hash', '=', hashOfKey(key))
      .executeTakeFirst();
  }

  async function refuseUnknown(ip: string): Promise<never> {
    await limits.take({ key: `api-key-wrong:${addressKey(ip)}`, ...wrongPerAddress });
    throw new Refusal('api_key_invalid');
  }

  async function takeCall(id: number, most: number): Promise<void> {
    try {
      await limits.take({ key: `api-key:${id}`, most, windowMs });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { extra, retryAfter } = error;
      throw new Refusal('too_many_attempts', {
        extra,
        ...(retryAfter !== undefined && { retryAfter }),
        message: `This API key may make ${most} calls a minute`,
      });
    }
  }

  return {
    async admit(key, endpoint, ip) {
      const found = await find(key);
      if (!found) return refuseUnknown(ip);
      const now = clock.now();
      if (found.revoked_at !== null) throw new Refusal('api_key_revoked');
      if (found.expires_at !== null && found.expires_at <= now) throw new Refusal('api_key_expired');
      const role = knownRole(found.role);
      if (!mayOwnKeys(role)) throw new Refusal('api_key_revoked');
      // Calls outside of the scopes count too, so that a program that searches for open calls is slowed down.
      await takeCall(found.id, found.calls_per_minute);
      if (!isInScope(endpoint, found.scopes)) throw new Refusal('api_key_scope');
      if (found.last_used_at === null || now.getTime() - found.last_used_at.getTime() > windowMs) {
        await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', found.id).execute();
      }
      return { id: found.id, viewer: { id: found.staff_id, role } };
    },
  };
}
