import type { Clock } from '../platform/clock.ts';
import type { Step, Steps } from '../platform/step.ts';
import { noteAnomalies, unknownConnectorSubject } from './anomalies.ts';
import type { Connection } from './connection.ts';
import type { ConnectorStatus } from './events.ts';
import { createGather } from './gather.ts';
import type { ChargingHooks } from './hooks.ts';
import { type StatusReport, unknownConnectors, writeStatuses } from './status-store.ts';
import type { Timings } from './timings.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingHooks;
  clock: Clock;
  timings: Timings;
  wakeOutbox(): void;
}

interface Received {
  connection: Connection;
  report: ConnectorStatus;
}

/** One batch is one statement: after a storm of ten thousand devices each of them reports every connector. */
const mostInBatch = 1_000;
/** While one batch is being written the next one is put together. */
const batchesAtOnce = 2;

/**
 * Statuses of all sockets of this node, written in batches; each is durable before its message is answered. A batch is one
 * statement as a rule. Changes that charging listens to, and unknown connectors, take a step of their own, in which the
 * status and what the listener does become durable together.
 */
export function createStatuses({ steps, hooks, clock, timings, wakeOutbox }: Dependencies) {
  const gather = createGather<Received, void>({
    waitMs: timings.gatherMs,
    most: mostInBatch,
    atOnce: batchesAtOnce,
    // A device with two sockets may report twice at once; the later report then goes into the next batch.
    keyOf: ({ connection }) => connection.chargePointId,
    async run(batch) {
      await write(batch);
      return [];
    },
  });

  async function write(batch: readonly Received[]): Promise<void> {
    const inOrder = batch.toSorted((a, b) => a.connection.chargePointId - b.connection.chargePointId);
    const reports = inOrder.map(reportOf);
    const hold = hooks.statusesHeard;
    const { held, isPublished, unknown } = await steps.alone((db) =>
      writeStatuses(db, reports, { hold, now: clock.now() }),
    );
    if (isPublished) wakeOutbox();
    if (held.length > 0) {
      const heard = held.map(({ index }) => inOrder[index] as Received);
      await steps.run((step) => writeHeard(step, heard));
    }
    if (unknown > 0) await steps.run((step) => noteUnknown(step, reports));
  }

  async function writeHeard(step: Step, batch: readonly Received[]): Promise<void> {
    const { changed, isPublished } = await writeStatuses(step.db, batch.map(reportOf), {
      hold: null,
      now: clock.now(),
    });
    if (isPublished) step.afterCommit(wakeOutbox);
    for (const { index, connectorId } of changed) {
      const { connection, report } = batch[index] as Received;
      await hooks.connectorStatusChanged(step, {
        chargePointId: connection.chargePointId,
        identity: connection.identity,
        connectorId,
        ocppConnector: report.ocppConnector,
        status: report.status,
        errorCode: report.errorCode,
        receivedAt: new Date(report.receivedAt),
      });
    }
  }

  async function noteUnknown(step: Step, reports: readonly StatusReport[]): Promise<void> {
    const unknown = (await unknownConnectors(step, reports)).map((index) => reports[index] as StatusReport);
    const anomalies = unknown.map(({ chargePointId, ocppConnector, status }) => ({
      chargePointId,
      kind: 'unknownConnector' as const,
      subject: unknownConnectorSubject(ocppConnector),
      details: { status },
    }));
    await noteAnomalies(step, anomalies, clock.now());
  }

  return {
    add: (connection: Connection, report: ConnectorStatus): Promise<void> => gather.add({ connection, report }),
    drain: gather.drain,
  };
}

function reportOf({ connection, report }: Received): StatusReport {
  return { ...report, chargePointId: connection.chargePointId };
}
