import type { MeterSample } from '@fpay/ocpp';
import { sql } from 'kysely';
import type { Step } from '../platform/step.ts';
import type { SamplesApplied } from './hooks.ts';
import { meterStateOf, type TransactionRow } from './transaction-row.ts';

export interface SamplesToKeep {
  ocppTransactionId: number;
  samples: readonly MeterSample[];
  receivedAt: number;
}

/** Columns as arrays, one statement for any number of rows: the cost of a statement is paid once for a whole group. */
export async function keepSamples(step: Step, kept: readonly SamplesToKeep[]): Promise<void> {
  const ids: number[] = [];
  const sampledAt: string[] = [];
  const receivedAt: string[] = [];
  const energyWh: (number | null)[] = [];
  const powerW: (number | null)[] = [];
  const currentMa: (number | null)[] = [];
  const soc: (number | null)[] = [];
  const context: string[] = [];
  for (const { ocppTransactionId, samples, receivedAt: received } of kept) {
    const receivedText = new Date(received).toISOString();
    for (const sample of samples) {
      ids.push(ocppTransactionId);
      sampledAt.push(new Date(sample.at).toISOString());
      receivedAt.push(receivedText);
      energyWh.push(sample.energyWh ?? null);
      powerW.push(sample.powerW ?? null);
      currentMa.push(milliamperes(sample));
      soc.push(percent(sample));
      context.push(sample.context);
    }
  }
  if (ids.length === 0) return;
  // The same reading sent twice is one reading.
  await sql`
    insert into meter_samples
      (ocpp_transaction_id, sampled_at, received_at, energy_wh, power_w, current_ma, soc, context)
    select * from unnest(${list(ids)}::int[], ${list(sampledAt)}::timestamptz[], ${list(receivedAt)}::timestamptz[],
      ${list(energyWh)}::bigint[], ${list(powerW)}::int[], ${list(currentMa)}::int[], ${list(soc)}::smallint[],
      ${list(context)}::text[])
    on conflict do nothing`.execute(step.db);
}

/**
 * Gives those that are still open, with the operation each belongs to. One that ended meanwhile, by charging or on another
 * node, is left alone.
 */
export async function saveCounts(
  step: Step,
  transactions: readonly TransactionRow[],
): Promise<Map<number, number | null>> {
  if (transactions.length === 0) return new Map();
  const column = (of: (row: TransactionRow) => string | number | null) => list(transactions.map(of));
  const { rows } = await sql<{ id: number; operation_id: number | null }>`
    update ocpp_transactions t
    set energy_wh = greatest(t.energy_wh, v.energy_wh), last_meter_wh = v.last_meter_wh,
        last_sample_at = v.last_sample_at, meter_state = v.meter_state
    from unnest(${column(({ id }) => id)}::int[], ${column(({ count }) => count.energyWh)}::bigint[],
      ${column(({ count }) => count.lastWh)}::bigint[],
      ${column(({ count }) => (count.lastAt === null ? null : new Date(count.lastAt).toISOString()))}::timestamptz[],
      string_to_array(${transactions.map(meterStateOf).join('\n')}, E'\\n')::jsonb[])
      as v (id, energy_wh, last_meter_wh, last_sample_at, meter_state)
    where t.id = v.id and t.stopped_at is null
    returning t.id, t.operation_id`.execute(step.db);
  return new Map(rows.map((row) => [row.id, row.operation_id]));
}

export interface Shown {
  operationId: number;
  ocppTransactionId: number;
  energyWh: number;
  newest: Partial<MeterSample>;
  /** By the device's clock where it can be believed. */
  sampledAt: Date;
  receivedAt: Date;
}

/** What a driver sees of the operation. Only of one that is not over; energy never falls; what was not told stays. */
export async function showOnOperations(step: Step, shown: readonly Shown[]): Promise<SamplesApplied[]> {
  if (shown.length === 0) return [];
  const column = (of: (one: Shown) => string | number | null) => list(shown.map(of));
  const { rows } = await sql<{
    id: number;
    status: string;
    payment_type: string;
    price: number;
    deposit: number;
    energy_limit_wh: number | null;
    energy_wh: number;
    power_w: number | null;
  }>`
    update operations o
    set energy_wh = greatest(o.energy_wh, v.energy_wh), power_w = coalesce(v.power_w, o.power_w),
        current_ma = coalesce(v.current_ma, o.current_ma), soc = coalesce(v.soc, o.soc),
        last_sample_at = greatest(o.last_sample_at, v.sampled_at)
    from unnest(${column(({ operationId }) => operationId)}::bigint[], ${column(({ energyWh }) => energyWh)}::bigint[],
      ${column(({ newest }) => newest.powerW ?? null)}::int[], ${column(({ newest }) => milliamperes(newest))}::int[],
      ${column(({ newest }) => percent(newest))}::smallint[],
      ${column(({ sampledAt }) => sampledAt.toISOString())}::timestamptz[])
      as v (id, energy_wh, power_w, current_ma, soc, sampled_at)
    where o.id = v.id and o.status in ('starting', 'ongoing', 'finishing')
    returning o.id, o.status, o.payment_type, o.price, o.deposit, o.energy_limit_wh, o.energy_wh, o.power_w`.execute(
    step.db,
  );
  const byId = new Map(shown.map((one) => [one.operationId, one]));
  return rows.flatMap((row) => {
    const one = byId.get(row.id);
    if (!one) return [];
    return {
      operationId: row.id,
      ocppTransactionId: one.ocppTransactionId,
      status: row.status,
      paymentType: row.payment_type,
      price: row.price,
      deposit: row.deposit,
      energyLimitWh: row.energy_limit_wh,
      energyWh: row.energy_wh,
      powerW: row.power_w,
      sampledAt: one.sampledAt,
      receivedAt: one.receivedAt,
    };
  });
}

function milliamperes({ currentA }: Partial<MeterSample>): number | null {
  return currentA === undefined ? null : Math.round(currentA * 1000);
}

function percent({ soc }: Partial<MeterSample>): number | null {
  return soc === undefined ? null : Math.round(soc);
}

/** An array as PostgreSQL reads it. The driver's own way quotes and escapes every number, at ten times the price. */
function list(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
