import type { MeterSample } from '@fpay/ocpp';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { believedTime, billedTime } from '../counting/device-time.ts';
import { presentW } from '../counting/power.ts';
import { type DeviceAnomaly, noteAnomalies } from '../device/anomalies.ts';
import { type ChargingPort, exactTimerWithinMs } from '../device/charging-port.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { ReportedSamples } from '../device/events.ts';
import { lockTransactions, type TransactionRow } from '../device/transaction-row.ts';
import type { Timings } from '../timings.ts';
import { applySamples } from './readings.ts';
import {
  type OperationProgress,
  type SamplesToKeep,
  type TransactionProgress,
  type Untouched,
  writeProgress,
} from './sample-store.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingPort;
  clock: Clock;
  timings: Timings;
  wakeOutbox(): void;
}

interface QueuedSamples {
  connection: DeviceConnection;
  reported: ReportedSamples;
}

interface ProgressOnConnection extends TransactionProgress {
  connection: DeviceConnection;
}

interface Change {
  progress: ProgressOnConnection[];
  kept: SamplesToKeep[];
  anomalies: DeviceAnomaly[];
}

type Written = Change & Untouched;

/** One batch is one transaction: large enough to be cheap, small enough that no device waits long for its answer. */
const mostInGroup = 1_000;
/**
 * The next batch is prepared while one is being written. A charge point sends its messages one by one, so two batches
 * never have the same one.
 */
const groupsAtOnce = 2;

/**
 * Writes the readings of all sockets of this node in batches: each is durable before its message is answered, and a
 * batch shares one commit. What readings mean for the charge is computed between reading the rows and writing them.
 */
export function createSamples({ steps, hooks, clock, timings, wakeOutbox }: Dependencies) {
  const publishedAt = new Map<number, number>();
  /** Operations whose last change was not published yet, because an earlier one had just been. */
  const unpublished = new Set<number>();

  const batch = createBatch<QueuedSamples, void>({
    waitMs: timings.batchWaitMs,
    most: mostInGroup,
    atOnce: groupsAtOnce,
    async run(batch) {
      try {
        const change = await writeBatch(batch);
        remember(change);
        publish(change);
        return [];
      } catch (error) {
        for (const { connection } of batch) connection.transactions = null;
        throw error;
      }
    },
  });

  /** Usually all transactions are known and nothing is irregular; then the one statement is the whole step. */
  async function writeBatch(batch: readonly QueuedSamples[]): Promise<Written> {
    const known = rememberedBy(batch);
    const change = known && changeOf(batch, known);
    if (change && change.anomalies.length === 0) {
      return {
        ...change,
        ...(await steps.single((db) => writeProgress(db, change.progress, change.kept, hooks.operationUpdate))),
      };
    }
    return steps.run(async (step) => {
      const found = changeOf(batch, await transactionsOf(step, batch));
      const untouched = await writeProgress(step.db, found.progress, found.kept, hooks.operationUpdate);
      await noteAnomalies(step, found.anomalies, clock.now());
      return { ...found, ...untouched };
    });
  }

  /** Computes the changes of a batch. Nothing is written or remembered before they are certain. */
  function changeOf(batch: readonly QueuedSamples[], known: ReadonlyMap<number, TransactionRow>): Change {
    const transactions = new Map(known);
    const kept: SamplesToKeep[] = [];
    const changed = new Map<number, { connection: DeviceConnection; operationProgress: OperationProgress | null }>();
    const anomalies: DeviceAnomaly[] = [];

    for (const { connection, reported } of batch) {
      const { chargePointId } = connection;
      const found = find(transactions, chargePointId, reported);
      if (found === 'foreign') {
        anomalies.push({
          chargePointId,
          kind: 'foreignTransaction',
          subject: `transaction ${reported.ocppTransactionId}`,
        });
      }
      // Readings of no charge, or of one that has ended, are only answered.
      if (found === null || found === 'foreign' || found.stoppedAt !== null) continue;
      const { transaction, samples, newest, oddities } = applySamples(found, reported.samples, reported.receivedAt);
      const { id } = transaction;
      const before = changed.get(id)?.operationProgress ?? null;
      transactions.set(id, transaction);
      kept.push({ ocppTransactionId: id, samples, receivedAt: reported.receivedAt });
      changed.set(id, {
        connection,
        operationProgress:
          newest === null ? before : operationProgressOf(connection, transaction, newest, reported, before),
      });
      for (const kind of oddities) {
        if (kind === 'older') continue;
        const details = { samples: samples.slice(-3), energyWh: transaction.count.energyWh };
        anomalies.push({ chargePointId, kind, subject: `transaction ${id}`, ocppTransactionId: id, details });
      }
    }

    const progress: ProgressOnConnection[] = [];
    for (const [id, { connection, operationProgress }] of changed) {
      const transaction = transactions.get(id);
      if (transaction) progress.push({ transaction, connection, operationProgress });
    }
    return { progress, kept, anomalies };
  }

  /** The driver's view of the transaction's operation; `before` is what this batch already computed for it. */
  function operationProgressOf(
    { connectedAt, lostAt }: DeviceConnection,
    { operationId, terms, count, power, ratedW, startedAt }: TransactionRow,
    newest: MeterSample,
    { receivedAt }: ReportedSamples,
    before: OperationProgress | null,
  ): OperationProgress | null {
    if (operationId === null || terms === null) return null;
    const powerW = presentW(power, receivedAt - count.risenAt);
    const { at } = believedTime({ deviceAt: newest.at, receivedAt, connectedAt, lostAt });
    return {
      operationId,
      newest: before ? { ...before.newest, ...newest } : newest,
      powerW,
      sampledAt: at,
      billedAt: billedTime({ at, receivedAt, connectedAt, startedAt: startedAt.getTime() }),
      receivedAt,
      priced: hooks.priceReading(terms, { energyWh: count.energyWh, powerW, ratedW, receivedAt }),
      isPublished: mayPublish(operationId, receivedAt),
    };
  }

  function remember({ progress, closed }: Written): void {
    for (const { transaction, connection } of progress) {
      if (closed.has(transaction.id)) connection.transactions?.delete(transaction.id);
      else if (!connection.isVoid) {
        connection.transactions ??= new Map();
        connection.transactions.set(transaction.id, transaction);
      }
    }
  }

  /** All transactions of the batch, when each is remembered; otherwise null. */
  function rememberedBy(batch: readonly QueuedSamples[]): Map<number, TransactionRow> | null {
    const known = new Map<number, TransactionRow>();
    for (const { connection, reported } of batch) {
      const row = connection.transactions?.get(reported.ocppTransactionId ?? 0);
      if (row === undefined) return null;
      known.set(row.id, row);
    }
    return known;
  }

  async function transactionsOf(step: Step, batch: readonly QueuedSamples[]): Promise<Map<number, TransactionRow>> {
    const known = new Map<number, TransactionRow>();
    const ids = new Set<number>();
    const nameless = new Set<number>();
    for (const { connection, reported } of batch) {
      if (reported.ocppTransactionId === null) nameless.add(connection.chargePointId);
      else {
        const remembered = connection.transactions?.get(reported.ocppTransactionId);
        if (remembered) known.set(remembered.id, remembered);
        else ids.add(reported.ocppTransactionId);
      }
    }
    if (ids.size > 0) {
      for (const row of await lockTransactions(step, sql`t.id = any(${[...ids]}::int[])`)) known.set(row.id, row);
    }
    // An unknown id is treated like a missing one.
    for (const { connection, reported } of batch) {
      if (reported.ocppTransactionId !== null && !known.has(reported.ocppTransactionId))
        nameless.add(connection.chargePointId);
    }
    if (nameless.size > 0) {
      const which = sql`t.charge_point_id = any(${[...nameless]}::bigint[]) and t.stopped_at is null`;
      for (const row of await lockTransactions(step, which)) known.set(row.id, row);
    }
    return known;
  }

  /** A page is notified at most once a second; the last change is published by `publishRest`. */
  const mayPublish = (operation: number, now: number) =>
    now - (publishedAt.get(operation) ?? 0) >= timings.publishEveryMs;

  function publish({ progress, over }: Written): void {
    const now = clock.now().getTime();
    let isAnyPublished = false;
    for (const { operationProgress } of progress) {
      if (operationProgress === null || over.has(operationProgress.operationId)) continue;
      const { operationId, isPublished, priced } = operationProgress;
      if (priced.nextAt !== null && priced.nextAt - now <= exactTimerWithinMs) hooks.dueAt(priced.nextAt);
      if (isPublished) {
        isAnyPublished = true;
        publishedAt.set(operationId, now);
        unpublished.delete(operationId);
      } else unpublished.add(operationId);
    }
    if (isAnyPublished) wakeOutbox();
  }

  return {
    add: (connection: DeviceConnection, reported: ReportedSamples): Promise<void> =>
      batch.add({ connection, reported }),
    drain: batch.drain,

    /** Once a second: publishes the remaining changes, and forgets operations without recent ones. */
    async publishRest(): Promise<void> {
      const now = clock.now().getTime();
      const due = [...unpublished].filter((id) => mayPublish(id, now));
      if (due.length > 0) {
        await steps.run(async (step) => {
          for (const id of due) step.publish('operation', id);
        });
      }
      for (const id of due) {
        publishedAt.set(id, now);
        unpublished.delete(id);
      }
      for (const [id, at] of publishedAt) if (now - at > 10 * timings.publishEveryMs) publishedAt.delete(id);
    },
  };
}

export type Samples = ReturnType<typeof createSamples>;

/** By id if the device owns it; otherwise the open charge on that connector, or the only open one. */
function find(
  transactions: ReadonlyMap<number, TransactionRow>,
  chargePointId: number,
  { ocppTransactionId, ocppConnector }: ReportedSamples,
): TransactionRow | 'foreign' | null {
  const reported = ocppTransactionId === null ? undefined : transactions.get(ocppTransactionId);
  if (reported) return reported.chargePointId === chargePointId ? reported : 'foreign';
  const open: TransactionRow[] = [];
  for (const row of transactions.values()) {
    if (row.chargePointId === chargePointId && row.stoppedAt === null) open.push(row);
  }
  if (ocppConnector !== null && ocppConnector > 0) {
    return open.findLast((row) => row.ocppConnector === ocppConnector) ?? null;
  }
  return open.length === 1 ? (open[0] ?? null) : null;
}
