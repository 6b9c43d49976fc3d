import { type AdminOperationItem, mostCounted } from '@fpay/contract/admin/operations';
import type { OperationSort } from '@fpay/contract/admin/sorts';
import { billedStatuses, isAmong, type OperationStatus, type PaymentType } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import { type HoldStatus, paymentStatusOf } from '@fpay/contract/payments';
import { sql } from 'kysely';
import { type Database, literals } from '../../platform/database.ts';
import { netOf } from '../stats/figures.ts';
import { createOperationPages, noPayment, type OperationFilter } from './pages.ts';

/** Lists of operations for staff, page by page, at any size of the table. */
export function createOperationList(db: Database) {
  const pages = createOperationPages(db);
  return {
    async list(filter: OperationFilter, limit: number, sort?: OperationSort): Promise<AdminOperationItem[]> {
      const ids = await pages.ids(filter, limit, sort);
      if (ids.length === 0) return [];
      const { rows } = await sql<Row>`
        select o.id, o.status, o.hold_status, o.payment_type, o.total, o.lost,
          coalesce(m.refunded, 0)::float8 as refunded, coalesce(m.rewards, 0)::float8 as rewards, o.deposit, o.energy_wh, o.created_at,
          o.user_id, u.name, u.phone_number, s.number,
          (select count(*)::int from support_notes n where n.subject_kind = 'operation' and n.subject_id = o.id) as notes
        from operations o join users u on u.id = o.user_id join stations s on s.id = o.station_id
          left join lateral money_given_back(o) m on o.status in (${literals(billedStatuses)})
        where o.id = any (${ids})`.execute(db);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => byId.get(id) ?? []).map(itemOf);
    },

    async count(filter: OperationFilter): Promise<{ count: number; is_more: boolean }> {
      const ids = await pages.ids({ ...filter, before: null }, mostCounted + 1, undefined, false);
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
