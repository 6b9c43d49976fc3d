import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Tables whose rules bind the product only while its role does not own them. */
const guarded = ['accounts', 'transfers', 'audit'];

/**
 * The guarded tables that the role of this connection owns: directly, as a member of the owner's role, or as a
 * superuser.
 */
export async function ownedLedgerTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname = any (${guarded})
      and pg_has_role(current_user, c.relowner, 'member')
    order by c.relname`.execute(db);
  return rows.map(({ name }) => name);
}
