import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A dead node's lease expires after this time; a live node renews it three times as often. */
const leaseSeconds = 15;
export const renewEveryMs = (leaseSeconds * 1000) / 3;

export interface Lease {
  /** Takes or renews the lease. True while this node has it. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

/** For work that only one node may do. It uses the database's clock, which all nodes share. */
export function createLease(db: Database, name: string): Lease {
  const holder = randomUUID();
  return {
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
