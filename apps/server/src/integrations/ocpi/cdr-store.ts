import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { type CdrRow, cdrOf } from './cdr.ts';
import type { OcpiPage } from './page.ts';

type Seller = Parameters<typeof cdrOf>[1];

/**
 * Money that went back after the capture: refunds to the card, and reversals to the balance. Each is final, so the records
 * that follow from it never change.
 */
const corrections = sql`
  select p.operation_id, r.amount, r.ended_at as at, r.id as place from refunds r join payments p on p.id = r.payment_id
  where r.status = 'success' and r.ended_at is not null and p.operation_id is not null
  union all
  select p.operation_id, back.amount, back.created_at, back.id from transfers back
  join transfers paid on back.key = 'reversal:' || paid.id
  join payments p on paid.key = 'operation:' || p.operation_id || ':payment'`;

/** A charge that delivered energy and was paid. */
const isBilled = sql`o.status = 'finished' and o.closed_at is not null and o.started_at is not null
  and o.finished_at is not null and o.energy_wh > 0 and p.captured > 0`;

/** Each part is filtered by itself, so that the index of closed operations is used. */
const isWithin = (at: RawBuilder<unknown>, { from, to }: OcpiPage) => sql`
  (${from}::timestamptz is null or ${at} >= ${from}) and (${to}::timestamptz is null or ${at} < ${to})`;

/** Charge detail records, computed from operations, payments and refunds; nothing of them is stored. */
export function createCdrStore(db: Database, seller: Seller) {
  return async (page: OcpiPage): Promise<{ total: number; list: object[] }> => {
    const { rows } = await sql<CdrRow & { count: number }>`
      with corrected as (
        select o.id, c.at, c.amount, row_number() over of_operation as sequence,
          p.captured - sum(c.amount) over of_operation as rest
        from (${corrections}) c join operations o on o.id = c.operation_id join payments p on p.operation_id = o.id
        where ${isBilled}
        window of_operation as (partition by o.id order by c.at, c.place)
      ), matching as (
        select o.id, 0 as sequence, false as is_credit, p.captured as amount, o.closed_at as recorded_at
        from operations o join payments p on p.operation_id = o.id where ${isBilled} and ${isWithin(sql`o.closed_at`, page)}
        union all
        select id, sequence, true, -(rest + amount), at from corrected where ${isWithin(sql`at`, page)}
        union all
        select id, sequence, false, rest, at from corrected where rest > 0 and ${isWithin(sql`at`, page)}
      ), listed as (
        select * from matching order by recorded_at, id, sequence, is_credit desc
        limit ${page.limit} offset ${page.offset}
      )
      select t.count, l.id as operation, l.sequence::int, l.is_credit, l.amount::bigint, l.recorded_at, o.user_id,
        u.is_temporary as is_guest, o.source, o.started_at, o.finished_at, o.energy_wh, o.total, o.idle_total,
        o.idle_seconds, s.number, s.address_uk, s.lat, s.lon, c.id as connector_id, c.type, c.power_w, c.has_cable
      from (select count(*)::int as count from matching) t
      left join (listed l join operations o on o.id = l.id join users u on u.id = o.user_id
        join stations s on s.id = o.station_id join connectors c on c.id = o.connector_id) on true
      order by l.recorded_at, l.id, l.sequence, l.is_credit desc`.execute(db);
    const list = rows.filter(({ operation }) => operation !== null).map((row) => cdrOf(row, seller));
    return { total: rows[0]?.count ?? 0, list: list.filter((cdr) => cdr !== null) };
  };
}
