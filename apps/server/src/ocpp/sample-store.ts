import type { MeterSample } from '@fpay/ocpp';
import { type RawBuilder, sql } from 'kysely';
import { bigints, integers } from '../platform/binary-array.ts';
import { type Database, preparedMark } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import { exactWithinMs, type Reckoning } from './hooks.ts';
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
  /** What flows now, as far as it can be believed. */
  powerW: number | null;
  /** By the device's clock where it can be believed. */
  sampledAt: number;
  receivedAt: number;
  /** The time that the bill counts it by. */
  billedAt: number;
  reckoning: Reckoning;
  /** Whether pages hear of it now. */
  isTold: boolean;
}

export interface Untouched {
  /** Ended meanwhile, by charging or on another node: left alone with all its samples. */
  closed: Set<number>;
  /** Operations that are over: their rows stayed as they were. */
  over: Set<number>;
}

/** Less than the half minute by which `lookAt` of charging looks ahead. */
const farSlackMs = 20_000;
/** Long enough for the device to answer. */
const renewAheadMs = 8_000;

/**
 * Everything a group of readings changes, in one statement: samples are kept, transactions go on, drivers see it on their
 * operations, and their pages are told. Energy and totals never fall; what was not told stays. Gives what was not written,
 * which is rare.
 */
export async function writeProgress(
  db: Database | Step['db'],
  progress: readonly Progress[],
  kept: readonly SamplesToKeep[],
): Promise<Untouched> {
  const untouched: Untouched = { closed: new Set(), over: new Set() };
  if (progress.length === 0) return untouched;
  const billedAt = sql`to_timestamp(v.billed_ms::float8 / 1000)`;
  // False without a bound.
  const isUnbilled = sql`coalesce(o.billed_until < ${billedAt}, false)`;
  // A profile that would cut the power before our own stop is renewed ahead of it.
  const renewAt = sql`case when o.device_cut_at < to_timestamp(v.stop_due_ms::float8 / 1000)
    then o.device_cut_at - ${renewAheadMs} * interval '1 ms' end`;
  const slackMs = sql`case when v.next_action_ms - v.received_ms > ${exactWithinMs} then ${farSlackMs} else 0 end`;
  const latestAt = sql`least(to_timestamp((v.next_action_ms + ${slackMs})::float8 / 1000), ${renewAt})`;
  const nextAt = sql`least(to_timestamp(v.next_action_ms::float8 / 1000), ${renewAt})`;
  const counts = (of: (row: TransactionRow) => number | null) =>
    bigints(progress, ({ transaction }) => of(transaction));
  const large = (of: (one: Shown) => number | null) => bigints(progress, ({ shown }) => (shown ? of(shown) : null));
  const small = (of: (one: Shown) => number | null) => integers(progress, ({ shown }) => (shown ? of(shown) : null));
  const { rows } = await sql<{ id: number; operation_id: number | null; is_open: boolean }>`${sql.raw(preparedMark)}
    with told as materialized (
      select * from unnest(${integers(progress, ({ transaction }) => transaction.id)}::int[],
        ${counts(({ count }) => count.energyWh)}::bigint[], ${counts(({ count }) => count.lastWh)}::bigint[],
        ${counts(({ count }) => count.lastAt)}::bigint[],
        string_to_array(${lines(progress, ({ transaction }) => meterStateOf(transaction))}, E'\\n'),
        ${large(({ operationId }) => operationId)}::bigint[], ${small(({ powerW }) => powerW)}::int[],
        ${small(({ newest }) => milliamperes(newest))}::int[], ${small(({ newest }) => percent(newest))}::int[],
        ${large(({ sampledAt }) => sampledAt)}::bigint[], ${large(({ receivedAt }) => receivedAt)}::bigint[],
        ${large(({ reckoning }) => reckoning.total)}::bigint[], ${large(({ reckoning }) => reckoning.realTotal)}::bigint[],
        ${small(({ reckoning }) => Number(reckoning.isAtLimit))}::int[],
        ${large(({ reckoning }) => reckoning.stopAt)}::bigint[], ${large(({ reckoning }) => reckoning.nextAt)}::bigint[],
        ${small(({ isTold }) => Number(isTold))}::int[], ${large(({ billedAt }) => billedAt)}::bigint[])
        as v (id, energy_wh, last_meter_wh, last_sample_ms, meter_state, operation_id, power_w, current_ma, soc, sampled_ms,
              received_ms, total, real_total, is_at_limit, stop_due_ms, next_action_ms,
              is_told, billed_ms)
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
      set energy_wh = case when ${isUnbilled} then o.energy_wh else greatest(o.energy_wh, v.energy_wh) end,
          first_unbilled_wh = case when ${isUnbilled} then coalesce(o.first_unbilled_wh, v.energy_wh)
            else o.first_unbilled_wh end,
          first_unbilled_at = case when ${isUnbilled} then coalesce(o.first_unbilled_at, ${billedAt}) else o.first_unbilled_at end,
          power_w = coalesce(v.power_w, o.power_w),
          current_ma = coalesce(v.current_ma, o.current_ma), soc = coalesce(v.soc, o.soc),
          last_sample_at = case when ${isUnbilled} then o.last_sample_at
            else greatest(o.last_sample_at, to_timestamp(v.sampled_ms::float8 / 1000)) end,
          total = case when o.status = 'starting' or ${isUnbilled} then o.total else greatest(o.total, v.total) end,
          real_total = case when o.status = 'starting' or ${isUnbilled} then o.real_total else greatest(o.real_total, v.real_total) end,
          limit_reached_at = case when o.status <> 'starting' and v.is_at_limit = 1
            then coalesce(o.limit_reached_at, to_timestamp(v.received_ms::float8 / 1000)) end,
          idle_since = case when o.status <> 'starting' and coalesce(v.power_w, o.power_w) = 0
            then coalesce(o.idle_since, to_timestamp(v.received_ms::float8 / 1000)) end,
          stop_due_at = case when o.status = 'ongoing' then to_timestamp(v.stop_due_ms::float8 / 1000) else o.stop_due_at end,
          metered_at = to_timestamp(v.received_ms::float8 / 1000),
          -- Leaving the column as it is spares the index. Looking earlier than needed does no harm, and what is far away is
          -- looked at half a minute before it is due, so that a little later does none either.
          next_action_at = case when o.status <> 'ongoing' then o.next_action_at
            when o.next_action_at > to_timestamp(v.received_ms::float8 / 1000)
              and o.next_action_at < ${latestAt} then o.next_action_at
            else ${nextAt} end
      from told v
      where o.id = v.operation_id and v.id in (select id from counted)
        and o.status in ('starting', 'ongoing', 'finishing')
      returning o.id, v.is_told
    ), heard as (
      insert into outbox (topic, ref) select 'operation', id::text from shown where is_told = 1
    )
    select v.id, v.operation_id, c.id is not null as is_open
    from told v left join counted c on c.id = v.id left join shown o on o.id = v.operation_id
    where c.id is null or (o.id is null and v.operation_id is not null)`.execute(db);
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
    from unnest(${integers(rows, ({ ocppTransactionId }) => ocppTransactionId)}::int[],
      ${bigints(rows, ({ sample }) => sample.at)}::bigint[], ${bigints(rows, ({ receivedAt }) => receivedAt)}::bigint[],
      ${bigints(rows, ({ sample }) => sample.energyWh ?? null)}::bigint[],
      ${integers(rows, ({ sample }) => sample.powerW ?? null)}::int[],
      ${integers(rows, ({ sample }) => milliamperes(sample))}::int[], ${integers(rows, ({ sample }) => percent(sample))}::int[],
      string_to_array(${lines(rows, ({ sample }) => sample.context)}, E'\\n'))
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

/** Texts of one line each. The driver's own way for an array quotes and escapes every one. */
function lines<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return rows.map(of).join('\n');
}
