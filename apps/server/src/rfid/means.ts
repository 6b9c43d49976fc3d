import { can, knownRole } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { Step } from '../platform/step.ts';

/**
 * What a card's owner could pay with at this device, read in the tap's own step; null when they may not charge there at all.
 * The account cannot be deleted until the step ends.
 */
export async function meansOf(step: Step, user: number, chargePoint: number): Promise<{ balance: number } | null> {
  const { rows } = await sql<{ role: string; balance: number; is_outside: boolean }>`
    select u.role, a.balance,
      exists (
        select 1 from connectors c join stations s on s.id = c.station_id join parties p on p.id = s.party_id
        where c.charge_point_id = ${chargePoint} and p.is_closed
          and not exists (select 1 from party_members m where m.party_id = p.id and m.user_id = u.id)) as is_outside
    from users u join accounts a on a.id = u.wallet_id
    where u.id = ${user} and u.deleted_at is null
    for key share of u`.execute(step.db);
  const [row] = rows;
  if (!row || row.is_outside || !can(knownRole(row.role), 'use-balance')) return null;
  return { balance: row.balance };
}
