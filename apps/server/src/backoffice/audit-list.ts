import type { AuditRecord, auditList } from '@fpay/contract/admin/audit';
import type { QueryOf } from '@fpay/contract/endpoint';
import { pageLimit } from '@fpay/contract/wire';
import type { Database } from '../platform/database.ts';

type Filter = QueryOf<typeof auditList>;

/** What staff did, newest first. */
export function createAuditList(db: Database) {
  return async (filter: Filter): Promise<AuditRecord[]> => {
    let query = db
      .selectFrom('audit as a')
      .leftJoin('users as u', 'u.id', 'a.staff_id')
      .leftJoin('audit_personal as p', 'p.audit_id', 'a.id')
      .select(['a.id', 'a.actor', 'a.staff_id', 'u.name', 'a.action', 'a.subject_kind', 'a.subject_id'])
      .select(['a.before', 'a.after', 'a.created_at', 'p.values as personal', 'p.erased_at']);
    if (filter.before) query = query.where('a.id', '<', filter.before);
    if (filter.staff) query = query.where('a.staff_id', '=', filter.staff);
    if (filter.by) query = query.where('a.actor', '=', filter.by);
    if (filter.action) query = query.where('a.action', 'like', `${filter.action}%`);
    if (filter.subject_kind) query = query.where('a.subject_kind', '=', filter.subject_kind);
    if (filter.subject_id) query = query.where('a.subject_id', '=', filter.subject_id);
    if (filter.from) query = query.where('a.created_at', '>=', new Date(filter.from));
    if (filter.to) query = query.where('a.created_at', '<', new Date(filter.to));
    const rows = await query
      .orderBy('a.id', 'desc')
      .limit(filter.limit ?? pageLimit.default)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      by: row.actor,
      staff: row.staff_id === null ? null : { id: row.staff_id, name: row.name ?? '' },
      action: row.action,
      subject_kind: row.subject_kind,
      subject_id: row.subject_id,
      before: recordOf(row.before),
      after: recordOf(row.after),
      personal: recordOf(row.personal),
      is_erased: row.erased_at !== null,
      created_at: row.created_at.toISOString(),
    }));
  };
}

export type AuditList = ReturnType<typeof createAuditList>;

function recordOf(json: unknown): Record<string, unknown> | null {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null;
}
