import type { MeterSample } from '@fpay/ocpp';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Step, Steps } from '../platform/step.ts';
import { type Anomaly, noteAnomalies } from './anomalies.ts';
import type { Connection } from './connection.ts';
import { believedTime } from './device-time.ts';
import type { SamplesTold } from './events.ts';
import { createGather } from './gather.ts';
import type { ChargingHooks } from './hooks.ts';
import { applySamples } from './readings.ts';
import { type Progress, type SamplesToKeep, type Shown, writeProgress } from './sample-store.ts';
import type { Timings } from './timings.ts';
import { lockTransactions, type TransactionRow } from './transaction-row.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingHooks;
  clock: Clock;
  timings: Timings;
}

interface Told {
  connection: Connection;
  told: SamplesTold;
}

/** One group is one transaction: large enough to be cheap, small enough that nobody waits long for its answer. */
const mostInGroup = 1_000;
/** While one group is at the database the next is made up. A charge point's messages come one by one, so they never meet. */
const groupsAtOnce = 2;

/**
 * Readings of all sockets of this node, written in groups: each is durable before its message is answered, and the price
 * of a commit is shared. What readings mean for the charge is worked out between reading the rows and writing them.
 */
export function createSamples({ steps, hooks, clock, timings }: Dependencies) {
  const toldAt = new Map<number, number>();
  /** Operations whose last change was not told yet, because one had just been. */
  const untold = new Set<number>();

  const gather = createGather<Told, void>({
    waitMs: timings.gatherMs,
    most: mostInGroup,
    atOnce: groupsAtOnce,
    async run(group) {
      try {
        const written = await steps.run((step) => write(step, group));
        for (const [transaction, connection] of written) remember(connection, transaction);
        return [];
      } catch (error) {
        for (const { connection } of group) connection.transactions = null;
        throw error;
      }
    },
  });

  async function write(step: Step, group: readonly Told[]): Promise<Map<TransactionRow, Connection>> {
    const transactions = await transactionsOf(step, group);
    const kept: SamplesToKeep[] = [];
    const changed = new Map<number, { connection: Connection; shown: Shown | null }>();
    const anomalies: Anomaly[] = [];

    for (const { connection, told } of group) {
      const { chargePointId } = connection;
      const found = find(transactions, chargePointId, told);
      if (found === 'foreign') {
        anomalies.push({ chargePointId, kind: 'foreignTransaction', subject: `transaction ${told.ocppTransactionId}` });
      }
      // Values of no charge, or of one that is over: answered, and that is all.
      if (found === null || found === 'foreign' || found.stoppedAt !== null) continue;
      const { transaction, samples, newest, oddities } = applySamples(
        found,
        told.meterValue,
        told.samples,
        told.receivedAt,
      );
      const { id } = transaction;
      const before = changed.get(id)?.shown ?? null;
      transactions.set(id, transaction);
      kept.push({ ocppTransactionId: id, samples, receivedAt: told.receivedAt });
      changed.set(id, {
        connection,
        shown: newest === null ? before : show(connection, transaction, newest, told, before),
      });
      for (const kind of oddities) {
        if (kind === 'older') continue;
        const details = { samples: samples.slice(-3), energyWh: transaction.count.energyWh };
        anomalies.push({ chargePointId, kind, subject: `transaction ${id}`, ocppTransactionId: id, details });
      }
    }

    const progress: Progress[] = [];
    for (const [id, { shown }] of changed) {
      const transaction = transactions.get(id);
      if (transaction) progress.push({ transaction, shown });
    }
    const { closed, over } = await writeProgress(step, progress, kept);
    await noteAnomalies(step, anomalies, clock.now());
    const applied = progress.flatMap(({ shown }) => (shown && !over.has(shown.operationId) ? shown : []));
    tellSparingly(
      step,
      applied.map(({ operationId }) => operationId),
    );
    for (const { reckoning } of applied) if (reckoning.nextAt !== null) hooks.dueAt(step, reckoning.nextAt);
    const written = new Map<TransactionRow, Connection>();
    for (const { transaction } of progress) {
      const connection = changed.get(transaction.id)?.connection;
      if (connection && !closed.has(transaction.id)) written.set(transaction, connection);
      else connection?.transactions?.delete(transaction.id);
    }
    return written;
  }

  /** What the driver of the transaction's operation is shown, `before` being what this group told of it already. */
  function show(
    { connectedAt, lostAt }: Connection,
    { operationId, terms, count, powerW }: TransactionRow,
    newest: MeterSample,
    { receivedAt }: SamplesTold,
    before: Shown | null,
  ): Shown | null {
    if (operationId === null || terms === null) return null;
    return {
      operationId,
      newest: before ? { ...before.newest, ...newest } : newest,
      sampledAt: believedTime({ deviceAt: newest.at, receivedAt, connectedAt, lostAt }).at,
      receivedAt,
      reckoning: hooks.reckon(terms, { energyWh: count.energyWh, powerW, receivedAt }),
    };
  }

  function remember(connection: Connection, transaction: TransactionRow): void {
    if (connection.isVoid) return;
    connection.transactions ??= new Map();
    connection.transactions.set(transaction.id, transaction);
  }

  async function transactionsOf(step: Step, group: readonly Told[]): Promise<Map<number, TransactionRow>> {
    const known = new Map<number, TransactionRow>();
    const ids = new Set<number>();
    const nameless = new Set<number>();
    for (const { connection, told } of group) {
      if (told.ocppTransactionId === null) nameless.add(connection.chargePointId);
      else {
        const remembered = connection.transactions?.get(told.ocppTransactionId);
        if (remembered) known.set(remembered.id, remembered);
        else ids.add(told.ocppTransactionId);
      }
    }
    if (ids.size > 0) {
      for (const row of await lockTransactions(step, sql`t.id = any(${[...ids]}::int[])`)) known.set(row.id, row);
    }
    // An id that we never gave is as good as none.
    for (const { connection, told } of group) {
      if (told.ocppTransactionId !== null && !known.has(told.ocppTransactionId)) nameless.add(connection.chargePointId);
    }
    if (nameless.size > 0) {
      const which = sql`t.charge_point_id = any(${[...nameless]}::bigint[]) and t.stopped_at is null`;
      for (const row of await lockTransactions(step, which)) known.set(row.id, row);
    }
    return known;
  }

  /** A page that has just been told need not be told again within the second; the last change is told all the same. */
  function tellSparingly(step: Step, operationIds: readonly number[]): void {
    const now = clock.now().getTime();
    for (const id of operationIds) {
      if (now - (toldAt.get(id) ?? 0) < timings.tellEveryMs) {
        untold.add(id);
        continue;
      }
      step.tell('operation', id);
      toldAt.set(id, now);
      untold.delete(id);
    }
  }

  return {
    add: (connection: Connection, told: SamplesTold): Promise<void> => gather.add({ connection, told }),
    drain: gather.drain,

    /** Once a second: what was left untold, and nothing to remember of operations that have been quiet. */
    async tellRest(): Promise<void> {
      const now = clock.now().getTime();
      const due = [...untold].filter((id) => now - (toldAt.get(id) ?? 0) >= timings.tellEveryMs);
      if (due.length > 0) await steps.run(async (step) => tellSparingly(step, due));
      for (const [id, at] of toldAt) if (now - at > 10 * timings.tellEveryMs) toldAt.delete(id);
    },
  };
}

export type Samples = ReturnType<typeof createSamples>;

/** By id where it is the device's own; otherwise the open charge on that connector, or the only one there is. */
function find(
  transactions: ReadonlyMap<number, TransactionRow>,
  chargePointId: number,
  { ocppTransactionId, ocppConnector }: SamplesTold,
): TransactionRow | 'foreign' | null {
  const told = ocppTransactionId === null ? undefined : transactions.get(ocppTransactionId);
  if (told) return told.chargePointId === chargePointId ? told : 'foreign';
  const open: TransactionRow[] = [];
  for (const row of transactions.values()) {
    if (row.chargePointId === chargePointId && row.stoppedAt === null) open.push(row);
  }
  if (ocppConnector !== null && ocppConnector > 0) {
    return open.findLast((row) => row.ocppConnector === ocppConnector) ?? null;
  }
  return open.length === 1 ? (open[0] ?? null) : null;
}
