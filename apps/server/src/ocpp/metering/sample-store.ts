import type { MeterSample } from '@fpay/ocpp';
import { type RawBuilder, sql } from 'kysely';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import { outboxInsert } from '../../platform/outbox.ts';
import { type BatchColumn, unnested } from '../../platform/rows/batch-columns.ts';
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

const ofTransaction = (of: (row: TransactionRow) => number | null) => (row: TransactionProgress) => of(row.transaction);
const ofOperation =
  (of: (one: OperationProgress) => number | null) =>
  ({ operationProgress }: TransactionProgress) =>
    operationProgress && of(operationProgress);

const reportedColumns: readonly BatchColumn<TransactionProgress>[] = [
  { name: 'id', type: 'int', of: ofTransaction(({ id }) => id) },
  { name: 'energy_wh', type: 'bigint', of: ofTransaction(({ count }) => count.energyWh) },
  { name: 'last_meter_wh', type: 'bigint', of: ofTransaction(({ count }) => count.lastWh) },
  { name: 'last_sample_ms', type: 'bigint', of: ofTransaction(({ count }) => count.lastAt) },
  { name: 'meter_state', type: 'text', of: ({ transaction }) => meterStateOf(transaction) },
  { name: 'operation_id', type: 'bigint', of: ofOperation(({ operationId }) => operationId) },
  { name: 'power_w', type: 'int', of: ofOperation(({ powerW }) => powerW) },
  { name: 'current_ma', type: 'int', of: ofOperation(({ newest }) => milliamperes(newest)) },
  { name: 'soc', type: 'int', of: ofOperation(({ newest }) => percent(newest)) },
  { name: 'sampled_ms', type: 'bigint', of: ofOperation(({ sampledAt }) => sampledAt) },
  { name: 'received_ms', type: 'bigint', of: ofOperation(({ receivedAt }) => receivedAt) },
  { name: 'total', type: 'bigint', of: ofOperation(({ priced }) => priced.total) },
  { name: 'real_total', type: 'bigint', of: ofOperation(({ priced }) => priced.realTotal) },
  { name: 'is_at_limit', type: 'int', of: ofOperation(({ priced }) => Number(priced.isAtLimit)) },
  { name: 'stop_due_ms', type: 'bigint', of: ofOperation(({ priced }) => priced.stopAt) },
  { name: 'next_action_ms', type: 'bigint', of: ofOperation(({ priced }) => priced.nextAt) },
  { name: 'is_published', type: 'int', of: ofOperation(({ isPublished }) => Number(isPublished)) },
  { name: 'billed_ms', type: 'bigint', of: ofOperation(({ billedAt }) => billedAt) },
];

interface KeptSample {
  ocppTransactionId: number;
  sample: MeterSample;
  receivedAt: number;
}

const sampleColumns: readonly BatchColumn<KeptSample>[] = [
  { name: 'ocpp_transaction_id', type: 'int', of: ({ ocppTransactionId }) => ocppTransactionId },
  { name: 'sampled_ms', type: 'bigint', of: ({ sample }) => sample.at },
  { name: 'received_ms', type: 'bigint', of: ({ receivedAt }) => receivedAt },
  { name: 'energy_wh', type: 'bigint', of: ({ sample }) => sample.energyWh ?? null },
  { name: 'power_w', type: 'int', of: ({ sample }) => sample.powerW ?? null },
  { name: 'current_ma', type: 'int', of: ({ sample }) => milliamperes(sample) },
  { name: 'soc', type: 'int', of: ({ sample }) => percent(sample) },
  { name: 'context', type: 'text', of: ({ sample }) => sample.context },
];

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
  const { rows } = await sql<{
    id: number;
    operation_id: number | null;
    is_open: boolean;
  }>`${sql.raw(preparedStatementMarker)}
    with reported as materialized (
      select * from ${unnested('v', progress, reportedColumns)}
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
  const rows: KeptSample[] = kept.flatMap(({ ocppTransactionId, samples, receivedAt }) =>
    samples.map((sample) => ({ ocppTransactionId, sample, receivedAt })),
  );
  return sql`
    insert into meter_samples
      (ocpp_transaction_id, sampled_at, received_at, energy_wh, power_w, current_ma, soc, context)
    select s.ocpp_transaction_id, to_timestamp(s.sampled_ms::float8 / 1000), to_timestamp(s.received_ms::float8 / 1000), s.energy_wh,
      s.power_w, s.current_ma, s.soc, s.context
    from ${unnested('s', rows, sampleColumns)}
    ${which}
    on conflict do nothing`;
}

function milliamperes({ currentA }: MeterSample): number | null {
  return currentA === undefined ? null : Math.round(currentA * 1000);
}

function percent({ soc }: MeterSample): number | null {
  return soc === undefined ? null : Math.round(soc);
}
