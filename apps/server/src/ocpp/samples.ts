import type { MeterSample } from '@fpay/ocpp';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Step, Steps } from '../platform/step.ts';
import { type Anomaly, noteAnomalies } from './anomalies.ts';
import type { Connection } from './connection.ts';
import { believedTime, billedTime } from './device-time.ts';
import type { SamplesTold } from './events.ts';
import { createGather } from './gather.ts';
import { type ChargingHooks, exactWithinMs } from './hooks.ts';
import { presentW } from './power.ts';
import { applySamples } from './readings.ts';
import { type Progress, type SamplesToKeep, type Shown, type Untouched, writeProgress } from './sample-store.ts';
import type { Timings } from './timings.ts';
import { lockTransactions, type TransactionRow } from './transaction-row.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingHooks;
  clock: Clock;
  timings: Timings;
  wakeOutbox(): void;
}

interface Told {
  connection: Connection;
  told: SamplesTold;
}

interface ProgressOn extends Progress {
  connection: Connection;
}

interface Change {
  progress: ProgressOn[];
  kept: SamplesToKeep[];
  anomalies: Anomaly[];
}

type Written = Change & Untouched;

/** One group is one transaction: large enough to be cheap, small enough that nobody waits long for its answer. */
const mostInGroup = 1_000;
/** While one group is at the database the next is made up. A charge point's messages come one by one, so they never meet. */
const groupsAtOnce = 2;

/**
 * Readings of all sockets of this node, written in groups: each is durable before its message is answered, and the price
 * of a commit is shared. What readings mean for the charge is worked out between reading the rows and writing them.
 */
export function createSamples({ steps, hooks, clock, timings, wakeOutbox }: Dependencies) {
  const toldAt = new Map<number, number>();
  /** Operations whose last change was not told yet, because one had just been. */
  const untold = new Set<number>();

  const gather = createGather<Told, void>({
    waitMs: timings.gatherMs,
    most: mostInGroup,
    atOnce: groupsAtOnce,
    async run(group) {
      try {
        const change = await writeGroup(group);
        remember(change);
        tell(change);
        return [];
      } catch (error) {
        for (const { connection } of group) connection.transactions = null;
        throw error;
      }
    },
  });

  /** As a rule all is known and nothing is odd: then the one statement is the whole step. */
  async function writeGroup(group: readonly Told[]): Promise<Written> {
    const known = rememberedBy(group);
    const change = known && changeOf(group, known);
    if (change && change.anomalies.length === 0) {
      return { ...change, ...(await steps.alone((db) => writeProgress(db, change.progress, change.kept))) };
    }
    return steps.run(async (step) => {
      const found = changeOf(group, await transactionsOf(step, group));
      const untouched = await writeProgress(step.db, found.progress, found.kept);
      await noteAnomalies(step, found.anomalies, clock.now());
      return { ...found, ...untouched };
    });
  }

  /** What a group comes to, on top of what is known. Nothing is written, and nothing remembered, before that is certain. */
  function changeOf(group: readonly Told[], known: ReadonlyMap<number, TransactionRow>): Change {
    const transactions = new Map(known);
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
      const { transaction, samples, newest, oddities } = applySamples(found, told.samples, told.receivedAt);
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

    const progress: ProgressOn[] = [];
    for (const [id, { connection, shown }] of changed) {
      const transaction = transactions.get(id);
      if (transaction) progress.push({ transaction, connection, shown });
    }
    return { progress, kept, anomalies };
  }

  /** What the driver of the transaction's operation is shown, `before` being what this group told of it already. */
  function show(
    { connectedAt, lostAt }: Connection,
    { operationId, terms, count, power, ratedW, startedAt }: TransactionRow,
    newest: MeterSample,
    { receivedAt }: SamplesTold,
    before: Shown | null,
  ): Shown | null {
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
      reckoning: hooks.reckon(terms, { energyWh: count.energyWh, powerW, ratedW, receivedAt }),
      isTold: mayTell(operationId, receivedAt),
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

  /** All of the group's transactions, when each is remembered. */
  function rememberedBy(group: readonly Told[]): Map<number, TransactionRow> | null {
    const known = new Map<number, TransactionRow>();
    for (const { connection, told } of group) {
      const row = connection.transactions?.get(told.ocppTransactionId ?? 0);
      if (row === undefined) return null;
      known.set(row.id, row);
    }
    return known;
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
  const mayTell = (operation: number, now: number) => now - (toldAt.get(operation) ?? 0) >= timings.tellEveryMs;

  function tell({ progress, over }: Written): void {
    const now = clock.now().getTime();
    let isAnyTold = false;
    for (const { shown } of progress) {
      if (shown === null || over.has(shown.operationId)) continue;
      const { operationId, isTold, reckoning } = shown;
      if (reckoning.nextAt !== null && reckoning.nextAt - now <= exactWithinMs) hooks.dueAt(reckoning.nextAt);
      if (isTold) {
        isAnyTold = true;
        toldAt.set(operationId, now);
        untold.delete(operationId);
      } else untold.add(operationId);
    }
    if (isAnyTold) wakeOutbox();
  }

  return {
    add: (connection: Connection, told: SamplesTold): Promise<void> => gather.add({ connection, told }),
    drain: gather.drain,

    /** Once a second: what was left untold, and nothing to remember of operations that have been quiet. */
    async tellRest(): Promise<void> {
      const now = clock.now().getTime();
      const due = [...untold].filter((id) => mayTell(id, now));
      if (due.length > 0) {
        await steps.run(async (step) => {
          for (const id of due) step.tell('operation', id);
        });
      }
      for (const id of due) {
        toldAt.set(id, now);
        untold.delete(id);
      }
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
