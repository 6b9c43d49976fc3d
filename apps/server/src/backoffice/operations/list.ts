import { type HoldFilter, holdFilters, type StatusFilter, statusFilters } from '@fpay/contract/admin/filters';
import { type AdminOperationItem, mostCounted } from '@fpay/contract/admin/operations';
import {
  billedStatuses,
  isAmong,
  type OperationStatus,
  operationStatuses,
  type PaymentType,
} from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import { type HoldStatus, holdStatuses, paymentStatusOf } from '@fpay/contract/payments';
import { type RawBuilder, sql } from 'kysely';
import { type Database, literals } from '../../platform/database.ts';
import { netOf } from '../stats/figures.ts';

export interface OperationFilter {
  station?: string | null | undefined;
  user?: string | null | undefined;
  status?: StatusFilter | null | undefined;
  hold?: HoldFilter | null | undefined;
  payment_type?: PaymentType | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  before?: number | null | undefined;
}

const paymentTypes: readonly PaymentType[] = ['bank', 'bonuses', 'free'];
/** What `hold_status` of an operation says when it has no payment. */
const noPayment = 'none';

/** Lists of operations for staff: newest first, page by page, at any size of the table. */
export function createOperationList(db: Database) {
  /** Null: nothing can match, because the station or the user does not exist. */
  async function conditionsOf(filter: OperationFilter) {
    const parts: RawBuilder<boolean>[] = [];
    if (filter.station) {
      const row = await db.selectFrom('stations').select('id').where('number', '=', filter.station).executeTakeFirst();
      if (!row) return null;
      parts.push(sql`o.station_id = ${row.id}`);
    }
    if (filter.user) {
      const id = await userIdOf(db, filter.user);
      if (id === null) return null;
      parts.push(sql`o.user_id = ${id}`);
    }
    if (filter.from) parts.push(sql`o.created_at >= ${filter.from}::timestamptz`);
    if (filter.to) parts.push(sql`o.created_at < ${filter.to}::timestamptz`);
    if (filter.before) {
      const row = await db
        .selectFrom('operations')
        .select('created_at')
        .where('id', '=', filter.before)
        .executeTakeFirst();
      if (!row) return null;
      parts.push(sql`(o.created_at, o.id) < (${row.created_at}, ${filter.before})`);
    }
    const isNarrow = Boolean(filter.station ?? filter.user);
    return { where: parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`, isNarrow };
  }

  /** Ids in the order of the list. Who only counts them needs no order, so nothing is sorted. */
  async function idsOf(filter: OperationFilter, limit: number, isOrdered = true): Promise<number[]> {
    const conditions = await conditionsOf(filter);
    if (!conditions) return [];
    const { where, isNarrow } = conditions;
    const statuses: readonly string[] = filter.status ? statusFilters[filter.status] : operationStatuses;
    const holds: readonly string[] = filter.hold ? holdFilters[filter.hold] : [...holdStatuses, noPayment];
    const types = filter.payment_type ? [filter.payment_type] : paymentTypes;
    const isFiltered = Boolean(filter.status ?? filter.hold ?? filter.payment_type);
    const newest = isOrdered ? sql`order by o.created_at desc, o.id desc limit ${limit}` : sql`limit ${limit}`;
    if (!isFiltered || isNarrow) {
      const facets = isFiltered
        ? sql`and o.status = any (${statuses}) and o.hold_status = any (${holds}) and o.payment_type = any (${types})`
        : sql``;
      const { rows } = await sql<{ id: number }>`
        select o.id from operations o where ${where} ${facets} ${newest}`.execute(db);
      return rows.map(({ id }) => id);
    }
    // Each combination is one range of the index, read from its newest end: a combination that matches nothing costs one look.
    const { rows } = await sql<{ id: number }>`
      select found.id from unnest(${statuses}::text[]) as s cross join unnest(${holds}::text[]) as h
        cross join unnest(${types}::text[]) as t
        cross join lateral (
          select o.id, o.created_at from operations o
          where o.status = s and o.hold_status = h and o.payment_type = t and ${where} ${newest}) as found
      ${isOrdered ? sql`order by found.created_at desc, found.id desc` : sql``} limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  }

  return {
    async list(filter: OperationFilter, limit: number): Promise<AdminOperationItem[]> {
      const ids = await idsOf(filter, limit);
      if (ids.length === 0) return [];
      const { rows } = await sql<Row>`
        select o.id, o.status, o.hold_status, o.payment_type, o.total, o.lost,
          coalesce(m.refunded, 0)::float8 as refunded, coalesce(m.rewards, 0)::float8 as rewards, o.deposit, o.energy_wh, o.created_at,
          o.user_id, u.name, u.phone_number, s.number,
          (select count(*)::int from support_notes n where n.subject_kind = 'operation' and n.subject_id = o.id) as notes
        from operations o join users u on u.id = o.user_id join stations s on s.id = o.station_id
          left join lateral money_given_back(o) m on o.status in (${literals(billedStatuses)})
        where o.id = any (${ids}) order by o.created_at desc, o.id desc`.execute(db);
      return rows.map(itemOf);
    },

    async count(filter: OperationFilter): Promise<{ count: number; is_more: boolean }> {
      const ids = await idsOf({ ...filter, before: null }, mostCounted + 1, false);
      return { count: Math.min(ids.length, mostCounted), is_more: ids.length > mostCounted };
    },
  };
}

export type OperationList = ReturnType<typeof createOperationList>;

interface Row {
  id: number;
  status: OperationStatus;
  hold_status: HoldStatus | 'none';
  payment_type: PaymentType;
  total: number;
  lost: number;
  refunded: number;
  rewards: number;
  deposit: number;
  energy_wh: number;
  created_at: Date;
  user_id: number;
  name: string;
  phone_number: string;
  number: string;
  notes: number;
}

export function holdOf(status: HoldStatus | typeof noPayment): HoldStatus | null {
  return status === noPayment ? null : status;
}

function itemOf(row: Row): AdminOperationItem {
  const hold = holdOf(row.hold_status);
  return {
    id: row.id,
    status: row.status,
    hold,
    payment: hold && paymentStatusOf[hold],
    payment_type: row.payment_type,
    user: { id: row.user_id, name: row.name, phone_number: row.phone_number },
    station: row.number,
    total: kopecks(row.total),
    lost: kopecks(row.lost),
    refunded: kopecks(row.refunded),
    rewards: kopecks(row.rewards),
    net: isAmong(billedStatuses, row.status) ? netOf(row) : 0,
    amount: kopecks(row.deposit),
    energy: wattHours(row.energy_wh),
    datetime: row.created_at.toISOString(),
    notes: row.notes,
  };
}

/** Staff type an id, a phone number, or a phone number without its plus. No id is as long as a phone number. */
export async function userIdOf(db: Database, text: string): Promise<number | null> {
  const digits = text.replace(/^\+/, '');
  if (!text.startsWith('+')) {
    const row = await db.selectFrom('users').select('id').where('id', '=', Number(digits)).executeTakeFirst();
    if (row) return row.id;
  }
  const row = await db.selectFrom('users').select('id').where('phone_number', '=', `+${digits}`).executeTakeFirst();
  return row?.id ?? null;
}
