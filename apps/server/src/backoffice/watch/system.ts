import type { SystemFinding } from '@fpay/contract/admin/watch';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';

interface Row {
  id: number;
  kind: SystemFinding['kind'];
  subject: string;
  code: string;
  times: number;
  first_at: Date;
  last_at: Date;
  details: Record<string, unknown>;
}

/** Jobs that keep failing, charge points that report what cannot be, and webhooks that were paused after failures. */
export function createSystemFindings(db: Database) {
  return async (): Promise<SystemFinding[]> => {
    const { rows } = await sql<Row>`
      select * from (
        select id, 'job' as kind, queue as subject, 'job_failed' as code, times, first_at, last_at,
          jsonb_build_object('error', last_error) as details
        from job_failures where cleared_at is null
        union all
        select a.id, 'charge_point', p.identity, a.kind, a.times, a.first_at, a.last_at,
          a.details || jsonb_build_object('subject', a.subject)
        from charge_point_anomalies a join charge_points p on p.id = a.charge_point_id where a.resolved_at is null
        union all
        select id, 'webhook', name, 'webhook_paused', failures, coalesce(failing_since, paused_at), paused_at, '{}'
        from webhook_endpoints where pause_cause = 'failures' and removed_at is null
      ) findings order by last_at desc limit 500`.execute(db);
    return rows.map((row) => ({
      ...row,
      first_at: row.first_at.toISOString(),
      last_at: row.last_at.toISOString(),
    }));
  };
}
