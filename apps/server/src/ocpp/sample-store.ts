import type { MeterSample } from '@fpay/ocpp';
import { type RawBuilder, sql } from 'kysely';
import type { Step } from '../platform/step.ts';
import type { Reckoning } from './hooks.ts';
import { meterStateOf, type TransactionRow } from './transaction-row.ts';

export interface SamplesToKeep {
  ocppTransactionId: number;
  samples: readonly MeterSample[];
  receivedAt: number;
}

/** A transaction as its readings left it. */
export interface Progress {
  transaction: TransactionRow;
  /** For the operation it belongs to. Null: it belongs to none, or nothing was new. */
  shown: Shown | null;
}

export interface Shown {
  operationId: number;
  newest: MeterSample;
  /** By the device's clock where it can be believed. */
  sampledAt: number;
  receivedAt: number;
  reckoning: Reckoning;
}

interface Untouched {
  /** Ended meanwhile, by charging or on another node: left alone with all its samples. */
  closed: Set<number>;
  /** Operations that are over: their rows stayed as they were. */
  over: Set<number>;
}

/**
 * Everything a group of readings changes, in one statement: samples are kept, transactions go on, and drivers see it on their
 * operations. Energy and totals never fall; what was not told stays. Gives what was not written, which is rare.
 */
export async function writeProgress(
  step: Step,
  progress: readonly Progress[],
  kept: readonly SamplesToKeep[],
): Promise<Untouched> {
  const untouched: Untouched = { closed: new Set(), over: new Set() };
  if (progress.length === 0) return untouched;
  const counts = (of: (row: TransactionRow) => number | null) => list(progress, ({ transaction }) => of(transaction));
  const shown = (of: (one: Shown) => number | null) => list(progress, (one) => (one.shown ? of(one.shown) : null));
  const { rows } = await sql<{ id: number; operation_id: number | null; is_open: boolean }>`
    with told as materialized (
      select * from unnest(${counts(({ id }) => id)}::int[], ${counts(({ count }) => count.energyWh)}::bigint[],
        ${counts(({ count }) => count.lastWh)}::bigint[], ${counts(({ count }) => count.lastAt)}::bigint[],
        string_to_array(${progress.map(({ transaction }) => meterStateOf(transaction)).join('\n')}, E'\\n')::json[],
        ${shown(({ operationId }) => operationId)}::bigint[], ${shown(({ newest }) => newest.powerW ?? null)}::int[],
        ${shown(({ newest }) => milliamperes(newest))}::int[], ${shown(({ newest }) => percent(newest))}::smallint[],
        ${shown(({ sampledAt }) => sampledAt)}::bigint[], ${shown(({ receivedAt }) => receivedAt)}::bigint[],
        ${shown(({ reckoning }) => reckoning.total)}::bigint[], ${shown(({ reckoning }) => reckoning.realTotal)}::bigint[],
        ${shown(({ reckoning }) => Number(reckoning.isAtLimit))}::int[],
        ${shown(({ reckoning }) => reckoning.stopAt)}::bigint[], ${shown(({ reckoning }) => reckoning.nextAt)}::bigint[])
        as v (id, energy_wh, last_meter_wh, last_sample_ms, meter_state, operation_id, power_w, current_ma, soc, sampled_ms,
              received_ms, total, real_total, is_at_limit, stop_due_ms, next_action_ms)
    ), counted as (
      update ocpp_transactions t
      set energy_wh = greatest(t.energy_wh, v.energy_wh), last_meter_wh = v.last_meter_wh,
          last_sample_at = to_timestamp(v.last_sample_ms::float8 / 1000), meter_state = v.meter_state
      from told v where t.id = v.id and t.stopped_at is null
      returning t.id
    ), kept as (
      ${insertSamples(kept, sql`where s.ocpp_transaction_id in (select id from counted)`)}
    ), shown as (
      update operations o
      set energy_wh = greatest(o.energy_wh, v.energy_wh), power_w = coalesce(v.power_w, o.power_w),
          current_ma = coalesce(v.current_ma, o.current_ma), soc = coalesce(v.soc, o.soc),
          last_sample_at = greatest(o.last_sample_at, to_timestamp(v.sampled_ms::float8 / 1000)),
          total = case when o.status = 'starting' then o.total else greatest(o.total, v.total) end,
          real_total = case when o.status = 'starting' then o.real_total else greatest(o.real_total, v.real_total) end,
          limit_reached_at = case when o.status <> 'starting' and v.is_at_limit = 1
            then coalesce(o.limit_reached_at, to_timestamp(v.received_ms::float8 / 1000)) end,
          idle_since = case when o.status <> 'starting' and coalesce(v.power_w, o.power_w) = 0
            then coalesce(o.idle_since, to_timestamp(v.received_ms::float8 / 1000)) end,
          stop_due_at = case when o.status = 'ongoing' then to_timestamp(v.stop_due_ms::float8 / 1000) else o.stop_due_at end,
          next_action_at = case when o.status = 'ongoing' then to_timestamp(v.next_action_ms::float8 / 1000)
            else o.next_action_at end
      from told v
      where o.id = v.operation_id and v.id in (select id from counted)
        and o.status in ('starting', 'ongoing', 'finishing')
      returning o.id
    )
    select v.id, v.operation_id, c.id is not null as is_open
    from told v left join counted c on c.id = v.id left join shown o on o.id = v.operation_id
    where c.id is null or (o.id is null and v.operation_id is not null)`.execute(step.db);
  for (const row of rows) {
    if (!row.is_open) untouched.closed.add(row.id);
    if (row.operation_id !== null) untouched.over.add(row.operation_id);
  }
  return untouched;
}

export async function keepSamples(step: Step, kept: readonly SamplesToKeep[]): Promise<void> {
  if (kept.some(({ samples }) => samples.length > 0)) await insertSamples(kept, sql``).execute(step.db);
}

/** Columns as arrays, one statement for any number of rows. The same reading sent twice is one reading. */
function insertSamples(kept: readonly SamplesToKeep[], which: RawBuilder<unknown>): RawBuilder<unknown> {
  const rows = kept.flatMap(({ ocppTransactionId, samples, receivedAt }) =>
    samples.map((sample) => ({ ocppTransactionId, sample, receivedAt })),
  );
  return sql`
    insert into meter_samples
      (ocpp_transaction_id, sampled_at, received_at, energy_wh, power_w, current_ma, soc, context)
    select s.ocpp_transaction_id, to_timestamp(s.sampled_ms::float8 / 1000), to_timestamp(s.received_ms::float8 / 1000), s.energy_wh,
      s.power_w, s.current_ma, s.soc, s.context
    from unnest(${list(rows, ({ ocppTransactionId }) => ocppTransactionId)}::int[],
      ${list(rows, ({ sample }) => sample.at)}::bigint[], ${list(rows, ({ receivedAt }) => receivedAt)}::bigint[],
      ${list(rows, ({ sample }) => sample.energyWh ?? null)}::bigint[],
      ${list(rows, ({ sample }) => sample.powerW ?? null)}::int[], ${list(rows, ({ sample }) => milliamperes(sample))}::int[],
      ${list(rows, ({ sample }) => percent(sample))}::smallint[], ${list(rows, ({ sample }) => sample.context)}::text[])
      as s (ocpp_transaction_id, sampled_ms, received_ms, energy_wh, power_w, current_ma, soc, context)
    ${which}
    on conflict do nothing`;
}

function milliamperes({ currentA }: MeterSample): number | null {
  return currentA === undefined ? null : Math.round(currentA * 1000);
}

function percent({ soc }: MeterSample): number | null {
  return soc === undefined ? null : Math.round(soc);
}

/** An array as PostgreSQL reads it. The driver's own way quotes and escapes every number, at ten times the price. */
function list<Row>(rows: readonly Row[], of: (row: Row) => string | number | null): string {
  let text = '{';
  for (const row of rows) text += `${text.length === 1 ? '' : ','}${of(row) ?? 'NULL'}`;
  return `${text}}`;
}
