import { isClockSet, normaliseIdTag } from '@fpay/ocpp';
import { sql } from 'kysely';
import { preparedStatementMarker } from '../../platform/database.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import { bigints, integers } from '../../platform/rows/binary-array.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { connectorsAt } from '../../stations/connectors.ts';
import { believedTime } from '../counting/device-time.ts';
import { newCount } from '../counting/energy.ts';
import { unknownPower } from '../counting/power.ts';
import type { AwaitedOperation, Begun, BegunOperation, ChargingPort } from '../device/charging-port.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { TransactionStart } from '../device/events.ts';
import { meterStateOf } from '../device/transaction-row.ts';
import type { Timings } from '../timings.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingPort;
  timings: Timings;
}

interface QueuedStart {
  connection: DeviceConnection;
  start: TransactionStart;
}

/** A start that has all that a usual one has. */
interface UsualStart {
  chargePointId: number;
  ocppConnector: number;
  idTag: string;
  meterStartWh: number;
  stamp: string;
  startedAt: Date;
  receivedAt: Date;
  meterState: string;
}

interface ExpectedStart extends UsualStart {
  index: number;
  operation: AwaitedOperation;
  stationId: number;
  ratedW: number;
}

/** Small enough that the first device of a storm does not wait for the others. */
const mostInBatch = 100;
/** The next batch is prepared while one is being written. Two batches never lock the same operation. */
const batchesAtOnce = 2;

/**
 * Starts that operations await, in batches: after a power cut thousands arrive at once. A batch is one step of seven
 * statements, whatever it contains. The result of a start that has anything unusual is null; it takes a step of its own.
 */
export function createUsualStarts({ steps, hooks, timings }: Dependencies) {
  const batch = createBatch<QueuedStart, Begun | null>({
    waitMs: timings.batchWaitMs,
    most: mostInBatch,
    atOnce: batchesAtOnce,
    keyOf: ({ connection }) => connection.chargePointId,
    run: (group) => steps.run((step) => begin(step, group)),
  });

  async function begin(step: Step, group: readonly QueuedStart[]): Promise<(Begun | null)[]> {
    const begun: (Begun | null)[] = group.map(() => null);
    const usual = group.map(usualStart);
    const tags = new Set(usual.flatMap((start) => start?.idTag ?? []));
    const awaited = tags.size === 0 ? [] : await hooks.awaitedOperations(step, [...tags]);
    const expected = awaited.length === 0 ? [] : await expectedStarts(step, usual, awaited);
    if (expected.length === 0) return begun;
    const ids = await insertTransactions(step, expected);
    const started: BegunOperation[] = [];
    for (const { index, operation, ...start } of expected) {
      const ocppTransactionId = ids.get(operation.operationId);
      // The same start is in the table already.
      if (ocppTransactionId === undefined) continue;
      begun[index] = { ocppTransactionId, status: 'Accepted' };
      started.push({ ...operation, ...start, ocppTransactionId });
    }
    await hooks.operationsBegun(step, started);
    return begun;
  }

  return {
    add: (connection: DeviceConnection, start: TransactionStart): Promise<Begun | null> =>
      usualStart({ connection, start }) === null ? Promise.resolve(null) : batch.add({ connection, start }),
    drain: batch.drain,
  };
}

function usualStart({ connection, start }: QueuedStart): UsualStart | null {
  const { ocppConnector, meterStartWh, deviceAt, stamp, receivedAt } = start;
  const idTag = normaliseIdTag(start.idTag ?? '');
  if (ocppConnector === null || idTag === '' || stamp === null || !isClockSet(deviceAt)) return null;
  const { connectedAt, lostAt, chargePointId } = connection;
  const { at, isSkewed } = believedTime({ deviceAt, receivedAt, connectedAt, lostAt });
  if (isSkewed) return null;
  const count = newCount(meterStartWh, receivedAt, deviceAt);
  return {
    chargePointId,
    ocppConnector,
    idTag,
    meterStartWh: meterStartWh ?? 0,
    stamp,
    startedAt: new Date(at),
    receivedAt: new Date(receivedAt),
    meterState: meterStateOf({ count, unit: null, power: unknownPower, expectedWh: 0 }),
  };
}

/** Those whose operation is locked and waits at this connector, where no other transaction is open. */
async function expectedStarts(
  step: Step,
  usual: readonly (UsualStart | null)[],
  awaited: readonly AwaitedOperation[],
): Promise<ExpectedStart[]> {
  const operations = new Map(awaited.map((operation) => [operation.idTag, operation]));
  const found: (UsualStart & { index: number; operation: AwaitedOperation })[] = [];
  for (const [index, start] of usual.entries()) {
    const operation = start && operations.get(start.idTag);
    if (!operation || operation.chargePointId !== start.chargePointId) continue;
    // From a slow clock.
    if (start.startedAt < operation.createdAt) continue;
    found.push({ ...start, index, operation });
    operations.delete(start.idTag);
  }
  const connectors = await connectorsAt(step, found);
  const withOpen = await withOpenTransaction(step, found);
  return found.flatMap((start, position) => {
    const connector = connectors[position];
    if (connector?.id !== start.operation.connectorId || withOpen.has(position)) return [];
    return { ...start, stationId: connector.station, ratedW: connector.ratedW };
  });
}

/** Positions of the starts at whose connector another transaction is open. */
async function withOpenTransaction(step: Step, starts: readonly UsualStart[]): Promise<Set<number>> {
  const { rows } = await sql<{ position: number }>`${sql.raw(preparedStatementMarker)}
    select v.position from unnest(${integers([...starts.keys()], (position) => position)}::int[],
      ${bigints(starts, ({ chargePointId }) => chargePointId)}::bigint[],
      ${integers(starts, ({ ocppConnector }) => ocppConnector)}::int[]) as v (position, charge_point_id, ocpp_connector)
    where exists (select from ocpp_transactions t where t.charge_point_id = v.charge_point_id
      and t.ocpp_connector = v.ocpp_connector and t.stopped_at is null)`.execute(step.db);
  return new Set(rows.map(({ position }) => position));
}

/** The ids of the new transactions by their operations. One that is stored already is left out: it was answered before. */
async function insertTransactions(step: Step, starts: readonly ExpectedStart[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; operation_id: number }>`${sql.raw(preparedStatementMarker)}
    insert into ocpp_transactions (charge_point_id, connector_id, ocpp_connector, operation_id, id_tag, id_tag_status,
      meter_start_wh, device_started_at, started_at, is_clock_skewed, meter_state)
    select v.charge_point_id, v.connector_id, v.ocpp_connector, v.operation_id, v.id_tag, 'Accepted',
      v.meter_start_wh, v.stamp, to_timestamp(v.started_ms::float8 / 1000), false, v.meter_state
    from unnest(${bigints(starts, ({ chargePointId }) => chargePointId)}::bigint[],
      ${bigints(starts, ({ operation }) => operation.connectorId)}::bigint[],
      ${integers(starts, ({ ocppConnector }) => ocppConnector)}::int[],
      ${bigints(starts, ({ operation }) => operation.operationId)}::bigint[],
      ${starts.map(({ idTag }) => idTag)}::text[], ${bigints(starts, ({ meterStartWh }) => meterStartWh)}::bigint[],
      ${starts.map(({ stamp }) => stamp)}::text[], ${bigints(starts, ({ startedAt }) => startedAt.getTime())}::bigint[],
      ${starts.map(({ meterState }) => meterState)}::text[])
      as v (charge_point_id, connector_id, ocpp_connector, operation_id, id_tag, meter_start_wh, stamp, started_ms, meter_state)
    on conflict do nothing
    returning id, operation_id`.execute(step.db);
  return new Map(rows.map(({ id, operation_id }) => [operation_id, id]));
}
