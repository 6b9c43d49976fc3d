import { normaliseIdTag } from '@fpay/ocpp';
import { sql } from 'kysely';
import type { Step, Steps } from '../platform/step.ts';
import { type Anomaly, noteAnomalies } from './anomalies.ts';
import type { Connection } from './connection.ts';
import { believedTime, billedTime } from './device-time.ts';
import { type Finished, finish } from './energy.ts';
import type { SessionStop } from './events.ts';
import type { ChargingHooks } from './hooks.ts';
import { type Applied, applySamples } from './readings.ts';
import { isOfReboot } from './same-charge.ts';
import { keepSamples } from './sample-store.ts';
import { beginSession } from './session-start.ts';
import { matchStop } from './stop-match.ts';
import { lockTransactions, meterStateOf, type TransactionRow } from './transaction-row.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingHooks;
}

/** It is over, whatever we think of it: always answered, billed once. What belongs to no charge is listed for staff. */
export function createSessionStop({ steps, hooks }: Dependencies) {
  return (connection: Connection, stop: SessionStop): Promise<void> =>
    steps.run(async (step) => {
      const transaction = await transactionOf(step, connection, stop);
      if (!transaction) return;
      const newest = await newestOf(step, transaction);
      const isOver = newest === transaction || !isOfReboot(stop, newest);
      await endSession(step, hooks, connection, isOver ? newest : transaction, stop, isOver);
    });

  /** The same charge under the id by which the device reported it last. */
  async function newestOf(step: Step, transaction: TransactionRow): Promise<TransactionRow> {
    if (transaction.continuedBy === null) return transaction;
    const [next] = await lockTransactions(step, sql`t.id = ${transaction.continuedBy}`);
    return next ? newestOf(step, next) : transaction;
  }

  async function transactionOf(step: Step, connection: Connection, stop: SessionStop): Promise<TransactionRow | null> {
    const { chargePointId } = connection;
    const note = (kind: Anomaly['kind'], subject: string) =>
      noteAnomalies(step, [{ chargePointId, kind, subject, details: summaryOf(stop) }], new Date(stop.receivedAt));

    if (stop.ocppTransactionId !== null) {
      const [told] = await lockTransactions(step, sql`t.id = ${stop.ocppTransactionId}`);
      if (told?.chargePointId === chargePointId) return told;
      if (told) {
        await note('foreignTransaction', `transaction ${stop.ocppTransactionId}`);
        return null;
      }
    }
    const matched = await openMatch(step, chargePointId, stop);
    if (matched) return matched;
    const reconstructed = await reconstruct(step, connection, stop);
    if (!reconstructed)
      await note('unmatchedStop', `transaction ${stop.ocppTransactionId ?? 0}, ${stop.stamp ?? 'no time'}`);
    return reconstructed;
  }

  /** A device that never got an id says 0 or -1. */
  async function openMatch(step: Step, chargePointId: number, stop: SessionStop): Promise<TransactionRow | null> {
    const open = await lockTransactions(step, sql`t.charge_point_id = ${chargePointId} and t.stopped_at is null`);
    return matchStop(open, stop);
  }

  /** The start was lost, but charging waits for this very tag: start and stop are applied together. */
  async function reconstruct(step: Step, connection: Connection, stop: SessionStop): Promise<TransactionRow | null> {
    if (stop.idTag === null) return null;
    const { chargePointId, identity } = connection;
    const idTag = normaliseIdTag(stop.idTag);
    const expected = await hooks.expected(step, { chargePointId, identity, idTag });
    if (!expected) return null;
    const first = stop.samples.find(({ energyWh }) => energyWh !== undefined);
    const { ocppTransactionId } = await beginSession(step, hooks, connection, {
      ocppConnector: expected.ocppConnector,
      idTag,
      meterStartWh: first?.energyWh ?? stop.meterStopWh,
      deviceAt: first?.at ?? stop.deviceAt,
      stamp: `lost, stopped ${stop.stamp ?? stop.deviceAt}`,
      receivedAt: stop.receivedAt,
    });
    const anomaly: Anomaly = {
      chargePointId,
      kind: 'lostStart',
      subject: `transaction ${ocppTransactionId}`,
      ocppTransactionId,
    };
    await noteAnomalies(step, [anomaly], new Date(stop.receivedAt));
    const [row] = await lockTransactions(step, sql`t.id = ${ocppTransactionId}`);
    return row ?? null;
  }
}

async function endSession(
  step: Step,
  hooks: ChargingHooks,
  connection: Connection,
  before: TransactionRow,
  stop: SessionStop,
  isOver: boolean,
): Promise<void> {
  connection.transactions?.delete(before.id);
  // Ours, on the last reading, gives way to the device's own word. Its own, once told, does not.
  if (before.stoppedAt !== null && !before.isEstimated) {
    await step.db
      .updateTable('ocpp_transactions')
      .set((of) => ({ stop_repeats: of('stop_repeats', '+', 1) }))
      .where('id', '=', before.id)
      .execute();
    return;
  }
  const applied = applySamples(before, stop.samples, stop.receivedAt);
  const finished = finishOf(applied.transaction, stop);
  await writeEnd(step, hooks, connection, applied, finished, stop, { isCorrection: before.isEstimated, isOver });
}

/** In kWh the device may have meant both ends, or only the samples between them. */
function finishOf({ count, meterStartWh, ratedW, unit }: TransactionRow, stop: SessionStop): Finished {
  const { meterStopWh, receivedAt, deviceAt: at } = stop;
  const asTold = finish(count, { meterStopWh, meterStartWh, at, receivedAt }, ratedW);
  if (!asTold.isFromLastReading || unit !== 'kWh' || meterStopWh === null) return asTold;
  return finish(count, { meterStopWh: meterStopWh * 1000, meterStartWh: meterStartWh * 1000, at, receivedAt }, ratedW);
}

async function writeEnd(
  step: Step,
  hooks: ChargingHooks,
  connection: Connection,
  { transaction, samples, newest, oddities }: Applied,
  { energyWh, isFromLastReading }: Finished,
  stop: SessionStop,
  { isCorrection, isOver }: { isCorrection: boolean; isOver: boolean },
): Promise<void> {
  const { chargePointId, identity } = connection;
  const receivedAt = new Date(stop.receivedAt);
  const { at, isSkewed } = believedTime({ ...stop, connectedAt: connection.connectedAt, lostAt: connection.lostAt });
  const startedAt = transaction.startedAt.getTime();
  const stoppedAt = new Date(Math.max(at, startedAt));
  const { connectedAt } = connection;
  const billedAt = new Date(billedTime({ at, receivedAt: stop.receivedAt, connectedAt, startedAt }));
  await keepSamples(step, [{ ocppTransactionId: transaction.id, samples, receivedAt: stop.receivedAt }]);
  await step.db
    .updateTable('ocpp_transactions')
    .set({
      energy_wh: energyWh,
      meter_stop_wh: stop.meterStopWh,
      last_meter_wh: transaction.count.lastWh,
      last_sample_at: transaction.count.lastAt === null ? null : new Date(transaction.count.lastAt),
      meter_state: meterStateOf(transaction),
      stop_reason: stop.reason,
      stopped_at: stoppedAt,
      device_stopped_at: stop.stamp,
      is_estimated: false,
      ...(isSkewed ? { is_clock_skewed: true } : {}),
    })
    .where('id', '=', transaction.id)
    .execute();
  // Before the operation's row is written: readings lock a transaction first and its operation after it.
  if (isOver) await closeFormer(step, transaction, stoppedAt);
  if (transaction.operationId !== null) {
    const { powerW, currentA, soc } = newest ?? {};
    await step.db
      .updateTable('operations')
      .set({
        energy_wh: sql`greatest(energy_wh, ${energyWh})`,
        last_sample_at: sql`greatest(last_sample_at, ${stoppedAt})`,
        ...(powerW === undefined ? {} : { power_w: powerW }),
        ...(currentA === undefined ? {} : { current_ma: Math.round(currentA * 1000) }),
        ...(soc === undefined ? {} : { soc: Math.round(soc) }),
      })
      .where('id', '=', transaction.operationId)
      .where('status', 'in', ['starting', 'ongoing', 'finishing'])
      .where((of) => of.or([of('billed_until', 'is', null), of('billed_until', '>=', billedAt)]))
      .execute();
    step.tell('operation', transaction.operationId);
  }
  if (isOver) {
    await hooks.sessionEnded(step, {
      chargePointId,
      identity,
      connectorId: transaction.connectorId,
      ocppConnector: transaction.ocppConnector,
      ocppTransactionId: transaction.id,
      operationId: transaction.operationId,
      idTag: stop.idTag === null ? null : normaliseIdTag(stop.idTag),
      reason: stop.reason,
      energyWh,
      startedAt: transaction.startedAt,
      stoppedAt,
      receivedAt,
      billedAt,
      isFromLastReading,
      isCorrection,
    });
  }
  const kinds: Anomaly['kind'][] = [
    ...oddities.filter((oddity) => oddity !== 'older'),
    ...(isFromLastReading ? (['meterStopIgnored'] as const) : []),
  ];
  const subject = `transaction ${transaction.id}`;
  const details = { ...summaryOf(stop), energyWh };
  await noteAnomalies(
    step,
    kinds.map((kind) => ({ chargePointId, kind, subject, ocppTransactionId: transaction.id, details })),
    receivedAt,
  );
}

/** The ids by which the device reported this charge before: none of them is open any more. */
async function closeFormer(step: Step, { id, operationId }: TransactionRow, at: Date): Promise<void> {
  if (operationId === null) return;
  await step.db
    .updateTable('ocpp_transactions')
    .set({ stopped_at: at, stop_reason: 'Other', is_estimated: true })
    .where('operation_id', '=', operationId)
    .where('id', '<', id)
    .where('stopped_at', 'is', null)
    .execute();
}

function summaryOf({ ocppTransactionId, idTag, meterStopWh, reason, stamp }: SessionStop): Record<string, unknown> {
  return { transactionId: ocppTransactionId, idTag, meterStop: meterStopWh, reason, timestamp: stamp };
}
