import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { Refusal } from './refusal.ts';

export interface Limit {
  /** Identifies the rule and what it counts, for example `sign-in:address:10.0.0.1`. */
  key: string;
  most: number;
  windowMs: number;
}

/** The counts are in the database, so that a limit holds for any number of nodes. */
export interface RateLimits {
  /** Counts one and refuses with 429 when that is one too many. */
  take(limit: Limit): Promise<void>;
  /** Refuses when the limit is already reached, without counting: for limits on failures. */
  check(limit: Limit): Promise<void>;
  /** Counts one and never refuses: for limits that require more proof instead. */
  count(limit: Limit): Promise<void>;
  /** True when the limit is already reached. Counts nothing. */
  isReached(limit: Limit): Promise<boolean>;
  /** Takes back one that was counted for something which then did not happen. */
  giveBack(key: string): Promise<void>;
  /** Resets these counts to zero. */
  reset(keys: readonly string[]): Promise<void>;
}

/**
 * What a limit per address counts. An IPv6 address counts as its /64, because one customer has at least that many addresses
 * and could otherwise use a new one for each call. An IPv4 address that is written as IPv6 counts as IPv4.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [, front = '', a, b, c, d] = dotted ?? [];
  const pair = (high: unknown, low: unknown) => ((Number(high) << 8) | Number(low)).toString(16);
  const text = dotted ? `${front}${pair(a, b)}:${pair(c, d)}` : address;
  const [before = '', after] = text.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [numbers(before), numbers(after ?? '')];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

export function createRateLimits(db: Database, clock: Clock): RateLimits {
  function refuse(limit: Limit, resetsAt: Date): never {
    const retryAfter = Math.max(1, Math.ceil((resetsAt.getTime() - clock.now().getTime()) / 1000));
    throw new Refusal('too_many_attempts', { retryAfter, extra: { limit: limit.most } });
  }

  async function add(limit: Limit) {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + limit.windowMs);
    const { rows } = await sql<{ count: number; resets_at: Date }>`
      insert into rate_limits as r (key, count, resets_at) values (${limit.key}, 1, ${resetsAt})
      on conflict (key) do update set
        count = case when r.resets_at <= ${now} then 1 else r.count + 1 end,
        resets_at = case when r.resets_at <= ${now} then excluded.resets_at else r.resets_at end
      returning count, resets_at`.execute(db);
    return rows[0];
  }

  const find = (limit: Limit) =>
    db
      .selectFrom('rate_limits')
      .select(['count', 'resets_at'])
      .where('key', '=', limit.key)
      .where('resets_at', '>', clock.now())
      .where('count', '>=', limit.most)
      .executeTakeFirst();

  return {
    async take(limit) {
      const row = await add(limit);
      if (row && row.count > limit.most) refuse(limit, row.resets_at);
    },
    async check(limit) {
      const row = await find(limit);
      if (row) refuse(limit, row.resets_at);
    },
    async count(limit) {
      await add(limit);
    },
    async isReached(limit) {
      return (await find(limit)) !== undefined;
    },
    async giveBack(key) {
      await db
        .updateTable('rate_limits')
        .set((set) => ({ count: set('count', '-', 1) }))
        .where('key', '=', key)
        .where('count', '>', 0)
        .execute();
    },
    async reset(keys) {
      await db.deleteFrom('rate_limits').where('key', 'in', keys).execute();
    },
  };
}
