import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { StartedPart } from '../platform/parts.ts';
import type { HubClock } from './ports.ts';

/** Tokens that have opened a connection. A token is part of an address, which may be written to a log. */
export interface UsedTokens {
  /** True for the first use of this token on any node. */
  use(id: string, expiresAtMs: number): Promise<boolean>;
}

/**
 * Stored as rows, because a page negotiates with one node and may connect to another. The platform sweep deletes
 * expired ones.
 */
export function createUsedTokens(db: Database): UsedTokens {
  return {
    async use(id, expiresAtMs) {
      const { rows } = await sql`
        insert into realtime_tokens_used (id, expires_at) values (${id}, ${new Date(expiresAtMs)})
        on conflict do nothing returning id`.execute(db);
      return rows.length > 0;
    },
  };
}

/** How long a token is stored after it has expired, because the clocks of nodes differ. */
const keptAfterExpiryMs = 60_000;

/** Deletes expired tokens. */
export const usedTokensSweep = (db: Database, clock: Clock): StartedPart => ({
  name: 'real-time tokens',
  run: () =>
    db
      .deleteFrom('realtime_tokens_used')
      .where('expires_at', '<', new Date(clock.now().getTime() - keptAfterExpiryMs))
      .execute(),
});

/** For a hub without a database. */
export function usedTokensInMemory(clock: HubClock): UsedTokens {
  const used = new Map<string, number>();
  return {
    async use(id, expiresAtMs) {
      const now = clock.now().getTime();
      for (const [old, until] of used) if (until < now) used.delete(old);
      if (used.has(id)) return false;
      used.set(id, expiresAtMs);
      return true;
    },
  };
}
