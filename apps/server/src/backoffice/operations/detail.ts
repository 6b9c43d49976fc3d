import assert from 'node:assert/strict';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import type { OperationStatus, PaymentType } from '@fpay/contract/charging';
import { type ConnectorType, isConnectorType } from '@fpay/contract/connectors';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import { type HoldStatus, paymentStatusOf } from '@fpay/contract/payments';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { holdOf } from './list.ts';

interface Row {
  id: number;
  transaction_id: number | null;
  user_id: number;
  payment_id: number | null;
  charge_point_id: number;
  identity: string;
  is_online: boolean;
  number: string;
  address: string;
  address_uk: string;
  connector_id: number;
  ocpp_connector: number;
  type: ConnectorType;
  rated_w: number;
  name: string;
  phone_number: string;
  balance: number;
  car: string | null;
  status: OperationStatus;
  source: 'app' | 'rfid';
  payment_type: PaymentType;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  closed_at: Date | null;
  energy_limit_wh: number | null;
  deposit: number;
  price: number;
  energy_wh: number;
  total: number;
  real_total: number;
  idle_fee: number;
  idle_grace_minutes: number;
  idle_seconds: number;
  idle_total: number;
  lost: number;
  current_ma: number | null;
  power_w: number | null;
  soc: number | null;
  stop_cause: string | null;
  stop_reason: string | null;
  invoice_id: string | null;
  captured: number | null;
  refunded: number | null;
  payment_amount: number | null;
  hold_status: HoldStatus | 'none';
  is_overridden: boolean | null;
  failure_reason: string | null;
  bank_failure: string | null;
  comment: string | null;
  rating_comment: string | null;
  notes: number;
}

async function rowOf(db: Database, id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select o.*, u.name, u.phone_number, a.balance, s.number, s.address, s.address_uk, c.ocpp_connector, c.type, c.power_w as rated_w,
      cp.identity, cp.is_online, cars.name as car, p.id as payment_id, p.invoice_id, p.captured, p.refunded,
      p.amount as payment_amount, p.is_overridden, p.failure_reason as bank_failure, f.comment as rating_comment,
      (select max(t.id) from ocpp_transactions t where t.operation_id = o.id) as transaction_id,
      (select count(*)::int from support_notes n where n.subject_kind = 'operation' and n.subject_id = o.id) as notes
    from operations o
      join users u on u.id = o.user_id
      join accounts a on a.id = u.wallet_id
      join stations s on s.id = o.station_id
      join connectors c on c.id = o.connector_id
      join charge_points cp on cp.id = o.charge_point_id
      left join cars on cars.id = o.car_id
      left join payments p on p.operation_id = o.id
      left join feedback f on f.operation_id = o.id
    where o.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal('not_found');
  return row;
}

function shownToStaff(row: Row): Omit<AdminOperation, 'actions' | 'own_money'> {
  assert(isConnectorType(row.type), `connector type ${row.type}`);
  const hold = holdOf(row.hold_status);
  return {
    operation_id: row.id,
    transaction_id: row.transaction_id,
    user_id: row.user_id,
    payment_id: row.payment_id,
    charge_point_id: row.charge_point_id,
    charge_point: row.identity,
    is_online: row.is_online,
    station_number: row.number,
    connector_id: row.connector_id,
    connector_number: String(row.ocpp_connector),
    connector_type: row.type,
    connector_power: watts(row.rated_w),
    address: row.address,
    address_uk: row.address_uk,
    user_name: row.name,
    phone_number: row.phone_number,
    user_balance: kopecks(Number(row.balance)),
    car: row.car,
    status: row.status,
    source: row.source,
    payment_type: row.payment_type,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    closed_at: row.closed_at?.toISOString() ?? null,
    energy_limit: row.energy_limit_wh === null ? null : wattHours(row.energy_limit_wh),
    amount: kopecks(row.deposit),
    price: kopecks(row.price),
    energy: wattHours(row.energy_wh),
    total: kopecks(row.total),
    real_total: kopecks(row.real_total),
    idle: row.idle_fee === 0 ? null : { fee: kopecks(row.idle_fee), grace_minutes: row.idle_grace_minutes },
    idle_seconds: row.idle_seconds,
    idle_total: kopecks(row.idle_total),
    lost: kopecks(row.lost),
    current: row.current_ma === null ? -1 : Math.round(row.current_ma / 100) / 10,
    power: row.power_w ?? -1,
    soc: row.soc,
    stop_cause: row.stop_cause,
    stop_reason: row.stop_reason,
    invoice_id: row.invoice_id,
    payment_total: row.captured === null ? null : kopecks(row.captured - (row.refunded ?? 0)),
    payment_amount: row.payment_amount === null ? null : kopecks(row.payment_amount),
    hold_status: hold,
    payment_status: hold && paymentStatusOf[hold],
    is_overridden: row.is_overridden ?? false,
    failure_reason: row.failure_reason ?? row.bank_failure,
    comment: row.comment ?? row.rating_comment,
    notes: row.notes,
  };
}

/** One operation as staff see it, read in one statement so that charge and payment are of one moment. */
export function createOperationDetail(db: Database) {
  return async (
    id: number,
    forViewer: () => Promise<Pick<AdminOperation, 'actions' | 'own_money'>>,
  ): Promise<AdminOperation> => ({ ...shownToStaff(await rowOf(db, id)), ...(await forViewer()) });
}

export type OperationDetail = ReturnType<typeof createOperationDetail>;
