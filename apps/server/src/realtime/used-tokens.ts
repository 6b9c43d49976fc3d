import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { Clock } from './watch.ts';

/** Which tokens have opened a connection. A token travels in an address, which may end up in a log. */
export interface UsedTokens {
  /** True at the first use of this token, on whichever node. */
  use(id: string, expiresAtMs: number): Promise<boolean>;
}

/** Rows, because a page negotiates with one node and may connect to another. The minute's sweep removes expired ones. */
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

/** For a hub without a database. */
export function usedTokensInMemory(clock: Clock): UsedTokens {
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
