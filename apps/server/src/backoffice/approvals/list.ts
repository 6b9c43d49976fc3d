import type { Approval } from '@fpay/contract/admin/approvals';
import { kopecks } from '@fpay/contract/money';
import { isStaff, knownRole, roles } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { ApprovalPayload, Approvals, Decider } from '../../platform/approvals.ts';
import type { Database } from '../../platform/database.ts';

interface Row {
  id: number;
  kind: Approval['action'];
  subject_kind: string;
  subject_id: number;
  worth: number;
  payload: ApprovalPayload;
  reason: string | null;
  user_id: number | null;
  user_name: string;
  phone_number: string;
  wallet_id: number | null;
  requested_by: number;
  staff_name: string;
  created_at: Date;
  viewer_wallet: number | null;
  others: string[];
}

const staffRoles = roles.filter(isStaff);

/** What waits for a second staff member, oldest first: the kinds that the viewer may decide. */
export function createApprovalList(db: Database, approvals: Pick<Approvals, 'kindsOf'>) {
  return async (viewer: Decider): Promise<Approval[]> => {
    const { rows } = await sql<Row>`
      select a.id, a.kind, a.subject_kind, a.subject_id, a.worth, a.payload, a.reason, u.id as user_id, u.name as user_name,
        u.phone_number, u.wallet_id, a.requested_by, s.name as staff_name, a.created_at,
        (select wallet_id from users where id = ${viewer.id}) as viewer_wallet,
        array(select distinct o.role from users o where o.role = any (${staffRoles}) and o.deleted_at is null
          and o.id <> a.requested_by and o.wallet_id is distinct from u.wallet_id) as others
      from staff_approvals a left join users u on u.id = a.recipient_id join users s on s.id = a.requested_by
      where a.outcome is null and a.kind = any (${approvals.kindsOf(viewer.role)})
      order by a.id limit 500`.execute(db);
    return rows.map((row) => ({
      id: row.id,
      action: row.kind,
      user: row.user_id === null ? null : { id: row.user_id, name: row.user_name, phone_number: row.phone_number },
      amount: kopecks(Number(row.worth)),
      subject: { kind: row.subject_kind, id: row.subject_id },
      details: row.payload,
      reason: row.reason,
      requested_by: { id: row.requested_by, name: row.staff_name },
      created_at: row.created_at.toISOString(),
      is_mine_to_decide:
        row.requested_by !== viewer.id && (row.wallet_id === null || row.wallet_id !== row.viewer_wallet),
      has_second_person: row.others.some((role) => approvals.kindsOf(knownRole(role)).includes(row.kind)),
    }));
  };
}
