import { normaliseIdTag } from '@fpay/ocpp';
import { sql } from 'kysely';
import type { Step, Steps } from '../../platform/step.ts';
import { believedTime, billedTime } from '../counting/device-time.ts';
import { type Finished, finish } from '../counting/energy.ts';
import { presentW } from '../counting/power.ts';
import { type DeviceAnomaly, noteAnomalies } from '../device/anomalies.ts';
import type { ChargingPort } from '../device/charging-port.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { TransactionStop } from '../device/events.ts';
import { lockTransactions, meterStateOf, type TransactionRow } from '../device/transaction-row.ts';
import { type Applied, applySamples } from '../metering/readings.ts';
import { keepSamples } from '../metering/sample-store.ts';
import { isOfReboot } from './same-charge.ts';
import { matchStop } from './stop-match.ts';
import { beginTransaction } from './transaction-start.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingPort;
}

/**
 * The charge has ended, so a stop is always accepted and billed once. A stop that matches no charge is listed for
 * staff.
 */
export function createTransactionStop({ steps, hooks }: Dependencies) {
  return (connection: DeviceConnection, stop: TransactionStop): Promise<void> =>
    steps.run(async (step) => {
      const transaction = await transactionOf(step, connection, stop);
      if (!transaction) return;
      const newest = await newestOf(step, transaction);
      const isOver = newest === transaction || !isOfReboot(stop, newest);
      await endTransaction(step, hooks, connection, isOver ? newest : transaction, stop, isOver);
    });

  /** The same charge under the id by which the device reported it last. */
  async function newestOf(step: Step, transaction: TransactionRow): Promise<TransactionRow> {
    if (transaction.continuedBy === null) return transaction;
    const [next] = await lockTransactions(step, sql`t.id = ${transaction.continuedBy}`);
    return next ? newestOf(step, next) : transaction;
  }

  async function transactionOf(
    step: Step,
    connection: DeviceConnection,
    stop: TransactionStop,
  ): Promise<TransactionRow | null> {
    const { chargePointId } = connection;
    const note = (kind: DeviceAnomaly['kind'], subject: string) =>
      noteAnomalies(step, [{ chargePointId, kind, subject, details: summaryOf(stop) }], new Date(stop.receivedAt));

    if (stop.ocppTransactionId !== null) {
      const [byId] = await lockTransactions(step, sql`t.id = ${stop.ocppTransactionId}`);
      if (byId?.chargePointId === chargePointId) return byId;
      if (byId) {
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

  /** A device that never got an id sends 0 or -1. */
  async function openMatch(step: Step, chargePointId: number, stop: TransactionStop): Promise<TransactionRow | null> {
    const open = await lockTransactions(step, sql`t.charge_point_id = ${chargePointId} and t.stopped_at is null`);
    return matchStop(open, stop);
  }

  /** The start was lost, but charging waits for this tag: start and stop are applied together. */
  async function reconstruct(
    step: Step,
    connection: DeviceConnection,
    stop: TransactionStop,
  ): Promise<TransactionRow | null> {
    if (stop.idTag === null) return null;
    const { chargePointId, identity } = connection;
    const idTag = normaliseIdTag(stop.idTag);
    const expected = await hooks.expected(step, { chargePointId, identity, idTag });
    if (!expected) return null;
    const first = stop.samples.find(({ energyWh }) => energyWh !== undefined);
    const { ocppTransactionId } = await beginTransaction(step, hooks, connection, {
      ocppConnector: expected.ocppConnector,
      idTag,
      meterStartWh: first?.energyWh ?? stop.meterStopWh,
      deviceAt: first?.at ?? stop.deviceAt,
      stamp: `lost, stopped ${stop.stamp ?? stop.deviceAt}`,
      receivedAt: stop.receivedAt,
    });
    const anomaly: DeviceAnomaly = {
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

async function endTransaction(
  step: Step,
  hooks: ChargingPort,
  connection: DeviceConnection,
  before: TransactionRow,
  stop: TransactionStop,
  isOver: boolean,
): Promise<void> {
  connection.transactions?.delete(before.id);
  // Our estimate on the last reading is replaced by the device's own stop. The device's own stop is final.
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

/** With kWh the device may have meant both ends, or only the samples between them. */
function finishOf({ count, meterStartWh, ratedW, unit }: TransactionRow, stop: TransactionStop): Finished {
  const { meterStopWh, receivedAt, deviceAt: at } = stop;
  const asReported = finish(count, { meterStopWh, meterStartWh, at, receivedAt }, ratedW);
  if (!asReported.isFromLastReading || unit !== 'kWh' || meterStopWh === null) return asReported;
  return finish(count, { meterStopWh: meterStopWh * 1000, meterStartWh: meterStartWh * 1000, at, receivedAt }, ratedW);
}

interface EndTimes {
  startedAt: Date;
  stoppedAt: Date;
  receivedAt: Date;
  billedAt: Date;
  isSkewed: boolean;
}

/** Never before its start; the device's clock decides where it can be believed. */
function timesOf(
  { connectedAt, lostAt }: DeviceConnection,
  { startedAt }: TransactionRow,
  stop: TransactionStop,
): EndTimes {
  const { receivedAt } = stop;
  const { at, isSkewed } = believedTime({ ...stop, connectedAt, lostAt });
  const began = startedAt.getTime();
  return {
    startedAt,
    stoppedAt: new Date(Math.max(at, began)),
    receivedAt: new Date(receivedAt),
    billedAt: new Date(billedTime({ at, receivedAt, connectedAt, startedAt: began })),
    isSkewed,
  };
}

async function writeEnd(
  step: Step,
  hooks: ChargingPort,
  connection: DeviceConnection,
  applied: Applied,
  finished: Finished,
  stop: TransactionStop,
  { isCorrection, isOver }: { isCorrection: boolean; isOver: boolean },
): Promise<void> {
  const { transaction, samples, newest, oddities } = applied;
  const { chargePointId, identity } = connection;
  const { energyWh, isFromLastReading } = finished;
  const times = timesOf(connection, transaction, stop);
  const { isSkewed, ...moments } = times;
  await keepSamples(step, [{ ocppTransactionId: transaction.id, samples, receivedAt: stop.receivedAt }]);
  await writeStopped(step, transaction, energyWh, stop, times);
  // Runs before the operation's row is written, because readings lock a transaction first and then its operation.
  if (isOver) await closeFormer(step, transaction, times.stoppedAt);
  if (transaction.operationId !== null)
    await hooks.lastReading(step, {
      operationId: transaction.operationId,
      energyWh,
      stoppedAt: times.stoppedAt,
      billedAt: times.billedAt,
      ...lastPower(transaction, newest, stop.receivedAt),
    });
  if (isOver) {
    await hooks.transactionEnded(step, {
      chargePointId,
      identity,
      connectorId: transaction.connectorId,
      ocppConnector: transaction.ocppConnector,
      ocppTransactionId: transaction.id,
      operationId: transaction.operationId,
      idTag: stop.idTag === null ? null : normaliseIdTag(stop.idTag),
      reason: stop.reason,
      energyWh,
      ...moments,
      isFromLastReading,
      isCorrection,
    });
  }
  const kinds: DeviceAnomaly['kind'][] = [
    ...oddities.filter((oddity) => oddity !== 'older'),
    ...(isFromLastReading ? (['meterStopIgnored'] as const) : []),
  ];
  const subject = `transaction ${transaction.id}`;
  const details = { ...summaryOf(stop), energyWh };
  const noted = kinds.map((kind) => ({ chargePointId, kind, subject, ocppTransactionId: transaction.id, details }));
  await noteAnomalies(step, noted, times.receivedAt);
}

async function writeStopped(
  step: Step,
  transaction: TransactionRow,
  energyWh: number,
  stop: TransactionStop,
  { stoppedAt, isSkewed }: EndTimes,
): Promise<void> {
  const { lastWh, lastAt } = transaction.count;
  await step.db
    .updateTable('ocpp_transactions')
    .set({
      energy_wh: energyWh,
      meter_stop_wh: stop.meterStopWh,
      last_meter_wh: lastWh,
      last_sample_at: lastAt === null ? null : new Date(lastAt),
      meter_state: meterStateOf(transaction),
      stop_reason: stop.reason,
      stopped_at: stoppedAt,
      device_stopped_at: stop.stamp,
      is_estimated: false,
      ...(isSkewed ? { is_clock_skewed: true } : {}),
    })
    .where('id', '=', transaction.id)
    .execute();
}

/** The same check as for any other reading: an impossible power is ignored, and the registers show it instead. */
function lastPower({ power, count }: TransactionRow, newest: Applied['newest'], receivedAt: number) {
  const { currentA, soc } = newest ?? {};
  return {
    powerW: newest && presentW(power, receivedAt - count.risenAt),
    currentMa: currentA === undefined ? null : Math.round(currentA * 1000),
    soc: soc === undefined ? null : Math.round(soc),
  };
}

/** Earlier ids by which the device reported this charge: all of them are closed. */
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

function summaryOf({ ocppTransactionId, idTag, meterStopWh, reason, stamp }: TransactionStop): Record<string, unknown> {
  return { transactionId: ocppTransactionId, idTag, meterStop: meterStopWh, reason, timestamp: stamp };
}
