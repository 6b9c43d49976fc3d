import type { Approval } from '@fpay/contract/admin/users';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';

interface Row {
  id: number;
  action: Approval['action'];
  user_id: number;
  user_name: string;
  phone_number: string;
  wallet_id: number;
  amount: number;
  requested_by: number;
  staff_name: string;
  created_at: Date;
  viewer_wallet: number | null;
}

/** Sums that wait for a second staff member, oldest first. */
export function createApprovalList(db: Database) {
  return async (viewer: number): Promise<Approval[]> => {
    const { rows } = await sql<Row>`
      select a.id, a.action, a.user_id, u.name as user_name, u.phone_number, u.wallet_id, a.amount, a.requested_by,
        s.name as staff_name, a.created_at, (select wallet_id from users where id = ${viewer}) as viewer_wallet
      from balance_approvals a join users u on u.id = a.user_id join users s on s.id = a.requested_by
      where a.decided_at is null order by a.id limit 500`.execute(db);
    return rows.map((row) => ({
      id: row.id,
      action: row.action,
      user: { id: row.user_id, name: row.user_name, phone_number: row.phone_number },
      amount: kopecks(Number(row.amount)),
      requested_by: { id: row.requested_by, name: row.staff_name },
      created_at: row.created_at.toISOString(),
      is_mine_to_decide: row.requested_by !== viewer && row.wallet_id !== row.viewer_wallet,
    }));
  };
}
