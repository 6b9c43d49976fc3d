import type { PageErrorReport } from '@fpay/contract/page-errors';
import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';

type ReportRow = Omit<PageErrorReport, 'user' | 'created_at'> & {
  user_id: number | null;
  user_name: string | null;
  created_at: Date;
};

/** One report with the name of the user who saw the error. */
export async function pageErrorOf(db: Database, code: string): Promise<PageErrorReport> {
  const { rows } = await sql<ReportRow>`
    select e.code, e.path, e.message, e.stack, e.browser, e.version, e.created_at, u.id as user_id, u.name as user_name
    from page_errors e left join users u on u.id = e.user_id where e.code = ${code}`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal('not_found');
  const { user_id, user_name, created_at, ...report } = row;
  const user = user_id === null ? null : { id: user_id, name: user_name ?? '' };
  return { ...report, user, created_at: created_at.toISOString() };
}
