import { isClockSet, normaliseIdTag } from '@fpay/ocpp';
import { sql } from 'kysely';
import { isDatabaseAway } from '../../platform/database.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { connectorsOfDevice } from '../../stations/connectors.ts';
import { believedTime, isSkew } from '../counting/device-time.ts';
import { newCount } from '../counting/energy.ts';
import { unknownPower } from '../counting/power.ts';
import { type DeviceAnomaly, noteAnomalies } from '../device/anomalies.ts';
import type { Begun, ChargingPort, ConnectorRef } from '../device/charging-port.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { TransactionStart } from '../device/events.ts';
import { lockTransactions, meterStateOf, type TransactionRow } from '../device/transaction-row.ts';
import { sameCharge } from './same-charge.ts';
import type { createUsualStarts } from './usual-starts.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingPort;
  usual: Pick<ReturnType<typeof createUsualStarts>, 'add'>;
}

/**
 * A start has already happened, so it always gets an id. A repeat, later or at the same moment, on this socket or
 * another, gets the same id, because the unique key of the table decides.
 */
export function createTransactionStart({ steps, hooks, usual }: Dependencies) {
  return async (connection: DeviceConnection, start: TransactionStart): Promise<Begun> => {
    const begun = await usual.add(connection, start).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      return null;
    });
    return begun ?? steps.run((step) => beginTransaction(step, hooks, connection, start));
  };
}

export async function beginTransaction(
  step: Step,
  hooks: ChargingPort,
  connection: DeviceConnection,
  start: TransactionStart,
): Promise<Begun> {
  const { chargePointId, identity } = connection;
  const connector = await connectorOf(step, chargePointId, start.ocppConnector);
  const idTag = normaliseIdTag(start.idTag ?? '');
  const { at, isSkewed } = believedTime({ ...start, connectedAt: connection.connectedAt, lostAt: connection.lostAt });
  const startedAt = new Date(at);
  const count = newCount(start.meterStartWh, start.receivedAt, start.deviceAt);
  const key = {
    charge_point_id: chargePointId,
    ocpp_connector: connector.ocppConnector,
    id_tag: idTag,
    meter_start_wh: start.meterStartWh ?? 0,
    device_started_at: await stampOf(step, connection, connector, idTag, start),
  };
  const inserted = await step.db
    .insertInto('ocpp_transactions')
    .values({
      ...key,
      connector_id: connector.connectorId,
      started_at: startedAt,
      is_clock_skewed: isSkewed,
      meter_state: meterStateOf({ count, unit: null, power: unknownPower, expectedWh: 0 }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return answeredBefore(step, key);

  const open = await lockTransactions(
    step,
    sql`t.charge_point_id = ${chargePointId} and t.ocpp_connector = ${connector.ocppConnector}
      and t.stopped_at is null and t.id <> ${inserted.id}`,
  );
  const same = sameCharge(open, idTag, start);
  const {
    operationId,
    status,
    startedAt: began = startedAt,
  } = await hooks.transactionStarted(step, {
    chargePointId,
    identity,
    ...connector,
    ocppTransactionId: inserted.id,
    idTag,
    meterStartWh: start.meterStartWh ?? 0,
    startedAt,
    receivedAt: new Date(start.receivedAt),
    isClockSkewed: isSkewed,
    stillOpen: open.map(({ id, operationId }) => ({ ocppTransactionId: id, operationId })),
    continuesOperation: same?.operationId ?? null,
  });
  const isWrong = isSkewed || isSkew(began.getTime(), at);
  await step.db
    .updateTable('ocpp_transactions')
    .set({ operation_id: operationId, id_tag_status: status, started_at: began, is_clock_skewed: isWrong })
    .where('id', '=', inserted.id)
    .execute();
  if (same && same.operationId === operationId) await continueAs(step, same, inserted.id);
  await noteAnomalies(
    step,
    oddities(chargePointId, connector, inserted.id, isWrong, start),
    new Date(start.receivedAt),
  );
  return { ocppTransactionId: inserted.id, status };
}

/**
 * The connector in our network. A start without a number can only refer to the one connector of a device that has one.
 */
async function connectorOf(step: Step, chargePointId: number, reportedNumber: number | null): Promise<ConnectorRef> {
  const rows = await connectorsOfDevice(step, chargePointId);
  const meant =
    reportedNumber === null
      ? rows.length === 1
        ? rows[0]
        : undefined
      : rows.find((row) => row.ocppConnector === reportedNumber);
  return { connectorId: meant?.id ?? null, ocppConnector: meant?.ocppConnector ?? reportedNumber ?? 0 };
}

/**
 * The timestamp that distinguishes a repeat from a new start. With a clock that was never set, or without a timestamp,
 * starts of different days look the same; then only a charge that is still open is a repeat, and a new one gets a
 * number.
 */
async function stampOf(
  step: Step,
  { chargePointId }: DeviceConnection,
  { ocppConnector }: ConnectorRef,
  idTag: string,
  { stamp, deviceAt, meterStartWh, receivedAt }: TransactionStart,
): Promise<string> {
  if (stamp !== null && isClockSet(deviceAt)) return stamp;
  const same = await step.db
    .selectFrom('ocpp_transactions')
    .select('device_started_at')
    .where('charge_point_id', '=', chargePointId)
    .where('ocpp_connector', '=', ocppConnector)
    .where('id_tag', '=', idTag)
    .where('meter_start_wh', '=', meterStartWh ?? 0)
    .where('stopped_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const isRepeat = same && (stamp === null || same.device_started_at.startsWith(stamp));
  return isRepeat ? same.device_started_at : `${stamp ?? ''} (received ${new Date(receivedAt).toISOString()})`;
}

async function answeredBefore(step: Step, key: Record<string, string | number>): Promise<Begun> {
  const row = await step.db
    .selectFrom('ocpp_transactions')
    .select(['id', 'id_tag_status'])
    .where((of) => of.and(key))
    .executeTakeFirstOrThrow();
  return { ocppTransactionId: row.id, status: row.id_tag_status };
}

/** The new transaction continues the count of the old one, so that energy counts once whichever id reports it. */
async function continueAs(step: Step, same: TransactionRow, id: number): Promise<void> {
  const { count } = same;
  await step.db
    .updateTable('ocpp_transactions')
    .set({
      energy_wh: count.energyWh,
      last_meter_wh: count.lastWh,
      last_sample_at: count.lastAt === null ? null : new Date(count.lastAt),
      meter_state: meterStateOf(same),
    })
    .where('id', '=', id)
    .execute();
  await step.db.updateTable('ocpp_transactions').set({ continued_by: id }).where('id', '=', same.id).execute();
}

function oddities(
  chargePointId: number,
  { connectorId, ocppConnector }: ConnectorRef,
  ocppTransactionId: number,
  isSkewed: boolean,
  start: TransactionStart,
): DeviceAnomaly[] {
  const found: DeviceAnomaly[] = [];
  if (connectorId === null) {
    found.push({ chargePointId, kind: 'unknownConnector', subject: `connector ${ocppConnector}`, ocppTransactionId });
  }
  if (isSkewed) {
    const details = { deviceAt: start.stamp, receivedAt: new Date(start.receivedAt).toISOString() };
    found.push({ chargePointId, kind: 'clockSkewed', subject: 'clock', ocppTransactionId, details });
  }
  return found;
}
