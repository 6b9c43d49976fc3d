import type { ApiKeyItem, NewApiKey } from '@fpay/contract/admin/integrations/api-keys';
import { knownRole } from '@fpay/contract/roles';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Steps } from '../platform/step.ts';
import { mayOwnKeys, newApiKey } from './api-keys.ts';

/** What staff may do to keys, on record. */
export interface ApiKeyStaff {
  list(): Promise<ApiKeyItem[]>;
  /**
   * The key is in this answer and nowhere else.
   * @refuses invalid_input
   */
  add(staff: number, wanted: NewApiKey): Promise<{ id: number; key: string }>;
  /** @refuses not_found, action_not_applicable */
  revoke(staff: number, id: number): Promise<void>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
}

const subject = (id: number) => ({ kind: 'api-key', id }) as const;

export function createApiKeyStaff({ db, steps, clock, audit }: Dependencies): ApiKeyStaff {
  return {
    async list() {
      const now = clock.now();
      const rows = await db
        .selectFrom('api_keys')
        .innerJoin('users', 'users.id', 'api_keys.staff_id')
        .selectAll('api_keys')
        .select(['users.name as staff', 'users.role'])
        .orderBy('api_keys.id', 'desc')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        scopes: row.scopes,
        calls_per_minute: row.calls_per_minute,
        staff: row.staff ?? '',
        state: stateOf(row, now),
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at?.toISOString() ?? null,
        last_used_at: row.last_used_at?.toISOString() ?? null,
        revoked_at: row.revoked_at?.toISOString() ?? null,
      }));
    },

    add: (staff, wanted) =>
      steps.run(async (step) => {
        const now = clock.now();
        const { name, calls_per_minute } = wanted;
        const scopes = [...new Set(wanted.scopes)];
        const expiresAt = wanted.expires_at === null ? null : new Date(wanted.expires_at);
        if (expiresAt !== null && expiresAt <= now) {
          throw new Refusal('invalid_input', { fields: { expires_at: ['must be in the future'] } });
        }
        const { key, prefix, hash } = newApiKey();
        const { id } = await step.db
          .insertInto('api_keys')
          .values({
            name,
            prefix,
            key_hash: hash,
            scopes,
            calls_per_minute,
            staff_id: staff,
            created_at: now,
            expires_at: expiresAt,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const after = { name, prefix, scopes, calls_per_minute, expires_at: expiresAt };
        await audit(step, { staff, action: 'api-key.add', subject: subject(id), after });
        return { id, key };
      }),

    revoke: (staff, id) =>
      steps.run(async (step) => {
        const key = await step.db
          .selectFrom('api_keys')
          .select(['name', 'prefix', 'revoked_at'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!key) throw new Refusal('not_found');
        if (key.revoked_at !== null) throw new Refusal('action_not_applicable');
        await step.db.updateTable('api_keys').set({ revoked_at: clock.now() }).where('id', '=', id).execute();
        const before = { name: key.name, prefix: key.prefix };
        await audit(step, { staff, action: 'api-key.revoke', subject: subject(id), before });
      }),
  };
}

interface StoredState {
  revoked_at: Date | null;
  expires_at: Date | null;
  role: string;
}

function stateOf({ revoked_at, expires_at, role }: StoredState, now: Date): ApiKeyItem['state'] {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return mayOwnKeys(knownRole(role)) ? 'active' : 'ownerless';
}
