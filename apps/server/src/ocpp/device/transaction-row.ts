import { isClockSet, readInstant } from '@fpay/ocpp';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Step } from '../../platform/step.ts';
import type { Count } from '../counting/energy.ts';
import type { RegisterUnit } from '../counting/meter-unit.ts';
import { type PowerState, unknownPower } from '../counting/power.ts';
import type { OperationTerms } from './charging-port.ts';

/**
 * How a transaction's meter is read, except what has its own columns. Stored as JSON in a text, because only the
 * gateway reads it.
 */
export interface MeterState extends Omit<Count, 'energyWh' | 'lastWh' | 'lastAt'>, PowerState {
  /** The real unit of the register, when it differs from its label. */
  unit: RegisterUnit | null;
  /** The reported power integrated over time; the register's unit is checked against it. */
  expectedWh: number;
}

/** A charge as the device reports it, with everything that its next message needs. */
export interface TransactionRow {
  id: number;
  chargePointId: number;
  connectorId: number | null;
  ocppConnector: number;
  operationId: number | null;
  /** The terms of that operation. */
  terms: OperationTerms | null;
  idTag: string;
  meterStartWh: number;
  startedAt: Date;
  /** By the device's own clock, for comparison with its other timestamps. */
  deviceStartedAt: number;
  stoppedAt: Date | null;
  isEstimated: boolean;
  /** The id under which the device reported the same charge again. */
  continuedBy: number | null;
  /** Null for a connector without a description. */
  ratedW: number | null;
  count: Count;
  unit: RegisterUnit | null;
  power: PowerState;
  expectedWh: number;
}

/** Locks in the order of ids, so that two steps that need the same rows cannot deadlock. */
export async function lockTransactions(step: Step, which: RawBuilder<unknown> | Expression<unknown>) {
  const { rows } = await sql<StoredTransaction>`
    select t.id, t.charge_point_id, t.connector_id, t.ocpp_connector, t.operation_id, t.id_tag, t.meter_start_wh,
           t.started_at, t.device_started_at, t.stopped_at, t.is_estimated, t.continued_by, t.energy_wh, t.last_meter_wh, t.last_sample_at, t.meter_state,
           c.power_w, o.payment_type, o.price, o.deposit, o.energy_limit_wh
    from ocpp_transactions t left join connectors c on c.id = t.connector_id left join operations o on o.id = t.operation_id
    where ${which} order by t.id for no key update of t`.execute(step.db);
  return rows.map(transactionOf);
}

export interface StoredTransaction {
  id: number;
  charge_point_id: number;
  connector_id: number | null;
  ocpp_connector: number;
  operation_id: number | null;
  id_tag: string;
  meter_start_wh: number;
  started_at: Date;
  device_started_at: string;
  stopped_at: Date | null;
  is_estimated: boolean;
  continued_by: number | null;
  energy_wh: number;
  last_meter_wh: number | null;
  last_sample_at: Date | null;
  meter_state: string;
  power_w: number | null;
  payment_type: string | null;
  price: number | null;
  deposit: number | null;
  energy_limit_wh: number | null;
}

export function transactionOf(row: StoredTransaction): TransactionRow {
  const state = JSON.parse(row.meter_state) as Partial<MeterState>;
  const startedAt = row.started_at.getTime();
  return {
    id: row.id,
    chargePointId: row.charge_point_id,
    connectorId: row.connector_id,
    ocppConnector: row.ocpp_connector,
    operationId: row.operation_id,
    terms: termsOf(row),
    idTag: row.id_tag,
    meterStartWh: row.meter_start_wh,
    startedAt: row.started_at,
    deviceStartedAt: stampedAt(row.device_started_at) ?? startedAt,
    stoppedAt: row.stopped_at,
    isEstimated: row.is_estimated,
    continuedBy: row.continued_by,
    ratedW: row.power_w,
    count: {
      energyWh: row.energy_wh,
      lastWh: row.last_meter_wh,
      lastAt: row.last_sample_at?.getTime() ?? null,
      originWh: state.originWh === undefined ? row.meter_start_wh : state.originWh,
      carriedWh: state.carriedWh ?? 0,
      suspectWh: state.suspectWh ?? null,
      former: state.former ?? null,
      risenAt: state.risenAt ?? startedAt,
      risenDeviceAt: state.risenDeviceAt ?? startedAt,
    },
    unit: state.unit ?? null,
    power: {
      powerW: state.powerW ?? null,
      measuredW: state.measuredW ?? null,
      riseWh: state.riseWh ?? unknownPower.riseWh,
      isPowerFalse: state.isPowerFalse ?? false,
      pendingWh: state.pendingWh ?? 0,
      pendingMs: state.pendingMs ?? 0,
    },
    expectedWh: state.expectedWh ?? 0,
  };
}

/** The device's timestamp as a time; null when it is not one, or when its clock was never set. */
function stampedAt(stamp: string): number | null {
  const read = readInstant(stamp);
  const at = read === null ? 0 : Date.parse(read.text);
  return isClockSet(at) ? at : null;
}

function termsOf({ payment_type, price, deposit, energy_limit_wh }: StoredTransaction): OperationTerms | null {
  if (price === null || deposit === null) return null;
  return { isFree: payment_type === 'free', price, deposit, energyLimitWh: energy_limit_wh };
}

export function meterStateOf({
  count,
  unit,
  power,
  expectedWh,
}: Pick<TransactionRow, 'count' | 'unit' | 'power' | 'expectedWh'>): string {
  const { originWh, carriedWh, suspectWh, former, risenAt, risenDeviceAt } = count;
  const { powerW, measuredW, riseWh, isPowerFalse, pendingWh, pendingMs } = power;
  return JSON.stringify({
    originWh,
    carriedWh,
    suspectWh,
    former,
    risenAt,
    risenDeviceAt,
    unit,
    powerW,
    measuredW,
    riseWh,
    isPowerFalse,
    pendingWh,
    pendingMs,
    expectedWh: Math.round(expectedWh),
  } satisfies MeterState);
}
