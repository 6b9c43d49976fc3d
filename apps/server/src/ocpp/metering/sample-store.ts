import type { MeterSample } from '@fpay/ocpp';
import { type RawBuilder, sql } from 'kysely';
import { bigints, integers } from '../../platform/binary-array.ts';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import { outboxInsert } from '../../platform/outbox.ts';
import type { Step } from '../../platform/step.ts';
import type { ChargingPort, PricedReading } from '../device/charging-port.ts';
import { meterStateOf, type TransactionRow } from '../device/transaction-row.ts';

export interface SamplesToKeep {
  ocppTransactionId: number;
  samples: readonly MeterSample[];
  receivedAt: number;
}

/** A transaction after its readings were applied. */
export interface TransactionProgress {
  transaction: TransactionRow;
  /** For its operation. Null when it has none, or when nothing was new. */
  operationProgress: OperationProgress | null;
}

export interface OperationProgress {
  operationId: number;
  newest: MeterSample;
  /** The present power, as far as it is plausible. */
  powerW: number | null;
  /** By the device's clock where it is plausible. */
  sampledAt: number;
  receivedAt: number;
  /** The time by which the bill counts it. */
  billedAt: number;
  priced: PricedReading;
  /** Whether pages are notified now. */
  isPublished: boolean;
}

export interface Untouched {
  /**
   * Transactions that ended in the meantime, by charging or on another node; neither they nor their samples were
   * written.
   */
  closed: Set<number>;
  /** Operations that have ended; their rows were not changed. */
  over: Set<number>;
}

/**
 * Writes a batch of readings in one statement: samples, transactions, operations and outbox. Energy and totals never
 * decrease; values that the device did not send keep their old ones. Returns the ids that had ended in the meantime and
 * were skipped, which is rare.
 */
export async function writeProgress(
  db: Database | Step['db'],
  progress: readonly TransactionProgress[],
  kept: readonly SamplesToKeep[],
  operationUpdate: ChargingPort['operationUpdate'],
): Promise<Untouched> {
  const untouched: Untouched = { closed: new Set(), over: new Set() };
  if (progress.length === 0) return untouched;
  const counts = (of: (row: TransactionRow) => number | null) =>
    bigints(progress, ({ transaction }) => of(transaction));
  const large = (of: (one: OperationProgress) => number | null) =>
    bigints(progress, ({ operationProgress }) => (operationProgress ? of(operationProgress) : null));
  const small = (of: (one: OperationProgress) => number | null) =>
    integers(progress, ({ operationProgress }) => (operationProgress ? of(operationProgress) : null));
  const { rows } = await sql<{
    id: number;
    operation_id: number | null;
    is_open: boolean;
  }>`${sql.raw(preparedStatementMarker)}
    with reported as materialized (
      select * from unnest(${integers(progress, ({ transaction }) => transaction.id)}::int[],
        ${counts(({ count }) => count.energyWh)}::bigint[], ${counts(({ count }) => count.lastWh)}::bigint[],
        ${counts(({ count }) => count.lastAt)}::bigint[],
        string_to_array(${lines(progress, ({ transaction }) => meterStateOf(transaction))}, E'\\n'),
        ${large(({ operationId }) => operationId)}::bigint[], ${small(({ powerW }) => powerW)}::int[],
        ${small(({ newest }) => milliamperes(newest))}::int[], ${small(({ newest }) => percent(newest))}::int[],
        ${large(({ sampledAt }) => sampledAt)}::bigint[], ${large(({ receivedAt }) => receivedAt)}::bigint[],
        ${large(({ priced }) => priced.total)}::bigint[], ${large(({ priced }) => priced.realTotal)}::bigint[],
        ${small(({ priced }) => Number(priced.isAtLimit))}::int[],
        ${large(({ priced }) => priced.stopAt)}::bigint[], ${large(({ priced }) => priced.nextAt)}::bigint[],
        ${small(({ isPublished }) => Number(isPublished))}::int[], ${large(({ billedAt }) => billedAt)}::bigint[])
        as v (id, energy_wh, last_meter_wh, last_sample_ms, meter_state, operation_id, power_w, current_ma, soc, sampled_ms,
              received_ms, total, real_total, is_at_limit, stop_due_ms, next_action_ms,
              is_published, billed_ms)
    ), counted as (
      update ocpp_transactions t
      set energy_wh = greatest(t.energy_wh, v.energy_wh), last_meter_wh = v.last_meter_wh,
          last_sample_at = to_timestamp(v.last_sample_ms::float8 / 1000), meter_state = v.meter_state
      from reported v where t.id = v.id and t.stopped_at is null
      returning t.id
    ), kept as (
      ${insertSamples(kept, sql`where s.ocpp_transaction_id in (select id from counted)`)}
    ), shown as (
      ${operationUpdate}
    ), heard as (
      ${outboxInsert('operation', sql`select id::text from shown where is_published = 1`)}
    )
    select v.id, v.operation_id, c.id is not null as is_open
    from reported v left join counted c on c.id = v.id left join shown o on o.id = v.operation_id
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

/** Columns as arrays, one statement for any number of rows. A reading that is sent twice is stored once. */
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

/** Texts of one line each. The database driver would quote and escape every element of an array. */
function lines<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return rows.map(of).join('\n');
}
