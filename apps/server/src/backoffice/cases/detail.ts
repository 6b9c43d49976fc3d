import type { AdminCase, CaseAction, CaseEntry, CaseEvent, MessageState } from '@fpay/contract/admin/cases';
import { kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { caseItemOf, caseRows } from './list.ts';

interface EntryRow {
  id: number;
  kind: CaseEntry['kind'];
  staff_id: number | null;
  staff_name: string | null;
  text: string | null;
  event: CaseEvent | null;
  assignee_id: number | null;
  assignee_name: string | null;
  push_state: MessageState | null;
  telegram_state: MessageState | null;
  sms_state: MessageState | null;
  read_at: Date | null;
  created_at: Date;
}

const personOf = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

const entryOf = (row: EntryRow): CaseEntry => ({
  id: row.id,
  kind: row.kind,
  staff: personOf(row.staff_id, row.staff_name),
  text: row.text,
  event: row.event,
  assignee: personOf(row.assignee_id, row.assignee_name),
  push: row.push_state,
  telegram: row.telegram_state,
  sms: row.sms_state,
  read_at: row.read_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** One case with all that was written in it. */
export function createCaseDetail(db: Database) {
  const entriesOf = (id: number) =>
    sql<EntryRow>`
      select e.id, e.kind, e.staff_id, s.name as staff_name, e.text, e.event, e.assignee_id, a.name as assignee_name,
        e.push_state, e.telegram_state, e.sms_state, e.read_at, e.created_at
      from case_entries e left join users s on s.id = e.staff_id left join users a on a.id = e.assignee_id
      where e.case_id = ${id} order by e.id`.execute(db);

  const refundsOf = (operation: number | null) =>
    sql<{ amount: number; created_at: Date }>`
      select r.amount, r.created_at from refunds r join payments p on p.id = r.payment_id
      where p.operation_id = ${operation} and r.status <> 'failure' order by r.id`.execute(db);

  return async (id: number, actionsOf: (state: AdminCase['state']) => CaseAction[]): Promise<AdminCase> => {
    const found = await caseRows(sql`(select * from cases where id = ${id})`).execute(db);
    const [row] = found.rows;
    if (!row) throw new Refusal('not_found');
    const [entries, refunds, reader] = await Promise.all([
      entriesOf(id),
      refundsOf(row.operation_id),
      sql<{ language: Language }>`select language from users where id = ${row.user_id}`.execute(db),
    ]);
    return {
      ...caseItemOf(row),
      language: reader.rows[0]?.language ?? 'uk',
      entries: entries.rows.map(entryOf),
      refunds: refunds.rows.map((refund) => ({
        amount: kopecks(refund.amount),
        created_at: refund.created_at.toISOString(),
      })),
      actions: actionsOf(row.state),
    };
  };
}

export type CaseDetail = ReturnType<typeof createCaseDetail>;
