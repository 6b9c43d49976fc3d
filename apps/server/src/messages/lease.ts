import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';

/** A dead node's lease runs out after this; a living one renews it three times as often. */
const leaseSeconds = 15;
export const renewEveryMs = (leaseSeconds * 1000) / 3;

/** For what only one node may do. By the database's clock, which all nodes share. */
export function createLease(db: Database, name: string) {
  const holder = randomUUID();
  return {
    /** True while it is ours. */
    async hold(): Promise<boolean> {
      const { rows } = await sql`
        insert into leases as l (name, holder, until)
        values (${name}, ${holder}, clock_timestamp() + ${leaseSeconds} * interval '1 s')
        on conflict (name) do update set holder = excluded.holder, until = excluded.until
        where l.holder = excluded.holder or l.until < clock_timestamp()
        returning holder`.execute(db);
      return rows.length > 0;
    },
    async release(): Promise<void> {
      await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
    },
  };
}

export type Lease = ReturnType<typeof createLease>;
