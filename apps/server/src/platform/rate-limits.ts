import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { Refusal } from './refusal.ts';

export interface Limit {
  /** Names the rule and whom it counts, for example `sign-in:address:10.0.0.1`. */
  key: string;
  most: number;
  windowMs: number;
}

/** Counts live in the database, so that a limit holds however many nodes answer. */
export interface RateLimits {
  /** Counts one and refuses with 429 when that is one too many. */
  take(limit: Limit): Promise<void>;
  /** Refuses when the limit is already reached, without counting: for limits on failures. */
  check(limit: Limit): Promise<void>;
}

export function createRateLimits(db: Database, clock: Clock): RateLimits {
  function refuse(limit: Limit, resetsAt: Date): never {
    const retryAfter = Math.max(1, Math.ceil((resetsAt.getTime() - clock.now().getTime()) / 1000));
    throw new Refusal('too_many_attempts', { retryAfter, extra: { limit: limit.most } });
  }

  return {
    async take(limit) {
      const now = clock.now();
      const resetsAt = new Date(now.getTime() + limit.windowMs);
      const { rows } = await sql<{ count: number; resets_at: Date }>`
        insert into rate_limits as r (key, count, resets_at) values (${limit.key}, 1, ${resetsAt})
        on conflict (key) do update set
          count = case when r.resets_at <= ${now} then 1 else r.count + 1 end,
          resets_at = case when r.resets_at <= ${now} then excluded.resets_at else r.resets_at end
        returning count, resets_at`.execute(db);
      const row = rows[0];
      if (row && row.count > limit.most) refuse(limit, row.resets_at);
    },
    async check(limit) {
      const row = await db
        .selectFrom('rate_limits')
        .select(['count', 'resets_at'])
        .where('key', '=', limit.key)
        .where('resets_at', '>', clock.now())
        .executeTakeFirst();
      if (row && row.count >= limit.most) refuse(limit, row.resets_at);
    },
  };
}
