import type { OperationCurve, TimelineStep } from '@fpay/contract/admin/operations';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { createOperationReadings } from '../../charging/curve.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';

interface Moment {
  kind: TimelineStep['kind'];
  at: Date | null;
  amount: number | null;
  text: string | null;
}

/** What happened to an operation over time: its milestones, and its curve. */
export function createOperationStory(db: Database) {
  const readings = createOperationReadings(db);
  async function mustExist(id: number): Promise<void> {
    const row = await db.selectFrom('operations').select('id').where('id', '=', id).executeTakeFirst();
    if (!row) throw new Refusal('not_found');
  }

  return {
    async timeline(id: number): Promise<TimelineStep[]> {
      await mustExist(id);
      const { rows } = await sql<Moment>`
        with o as (select * from operations where id = ${id}), p as (select * from payments where operation_id = ${id})
        select 'opened' as kind, o.created_at as at, o.deposit as amount, o.source as text from o
        union all select 'held', p.held_at, p.amount, null from p
        union all select 'start_sent', min(c.sent_at), null, null from commands c, o
          where c.charge_point_id = o.charge_point_id and c.operation_id = o.id and c.action = 'RemoteStartTransaction'
        union all select 'started', o.started_at, null, null from o
        union all select 'first_reading', min(m.received_at), null, null from ocpp_transactions t
          join meter_samples m on m.ocpp_transaction_id = t.id where t.operation_id = ${id}
        union all select 'last_reading', max(m.received_at), null, null from ocpp_transactions t
          join meter_samples m on m.ocpp_transaction_id = t.id where t.operation_id = ${id}
        union all select 'stop_requested', o.stop_requested_at, null, o.stop_cause from o
        union all select 'stopped', o.finished_at, null, coalesce(o.stop_reason, o.stop_cause) from o
        union all select case when p.status = 'success' then 'captured' else 'released' end, p.closed_at,
          case when p.status = 'success' then p.captured else p.amount end, null
          from p where p.status in ('success', 'reversed')
        union all select 'refunded', r.ended_at, r.amount, null from refunds r, p
          where r.payment_id = p.id and r.status = 'success'
        union all select 'ended', o.closed_at, o.total, o.status from o
        union all select 'staff', a.created_at, null, a.action || ' by ' || coalesce(u.name, '?') from audit a
          left join users u on u.id = a.staff_id
          where (a.subject_kind = 'operation' and a.subject_id = ${String(id)})
            or (a.subject_kind = 'payment' and a.subject_id in (select p.id::text from p))
        union all select 'note', n.created_at, null, n.text from support_notes n
          where n.subject_kind = 'operation' and n.subject_id = ${id}`.execute(db);
      return rows
        .flatMap(({ at, ...moment }) => (at === null ? [] : [{ ...moment, at }]))
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .map(({ kind, at, amount, text }) => ({
          kind,
          at: at.toISOString(),
          amount: amount === null ? null : kopecks(Number(amount)),
          text,
        }));
    },

    async curve(id: number): Promise<OperationCurve> {
      await mustExist(id);
      const { beganAt, seconds, energyWh, powerW } = await readings.curve(id);
      return { began_at: beganAt?.toISOString() ?? null, seconds, energy: energyWh, power: powerW };
    },
  };
}

export type OperationStory = ReturnType<typeof createOperationStory>;
