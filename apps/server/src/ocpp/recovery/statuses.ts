import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { unknownConnectors } from '../../stations/reported-status.ts';
import { noteAnomalies, unknownConnectorSubject } from '../device/anomalies.ts';
import type { ChargingPort } from '../device/charging-port.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { ConnectorStatusReport } from '../device/events.ts';
import type { Timings } from '../timings.ts';
import { type StatusReport, writeStatuses } from './status-store.ts';

interface Dependencies {
  steps: Steps;
  hooks: ChargingPort;
  clock: Clock;
  timings: Timings;
  wakeOutbox(): void;
}

interface Received {
  connection: DeviceConnection;
  report: ConnectorStatusReport;
}

/**
 * The reports of one device. A device has at most one write at a time, which keeps its order; what arrives meanwhile is
 * the next write.
 */
interface Line {
  waiting: Received[];
  taken: Received[];
  /** The write that will have what is waiting, and the one before it. */
  next: Promise<void> | null;
  writing: Promise<void> | null;
}

const afterwards = (before: Promise<void> | null): Promise<void> => (before ?? Promise.resolve()).catch(() => {});

/**
 * The newest report of each connector. A device that sends hundreds at once reports a flutter or its history; only the
 * last state of a connector is a state that anybody could act on.
 */
function newestOf(reports: readonly Received[]): Received[] {
  const newest = new Map<number, Received>();
  for (const received of reports) {
    const { ocppConnector } = received.report;
    const before = newest.get(ocppConnector);
    if (before === undefined || !isStampedEarlier(received, before)) newest.set(ocppConnector, received);
  }
  return [...newest.values()];
}

/** Of what was kept while the device was away. */
function isStampedEarlier(received: Received, before: Received): boolean {
  const { isKept, deviceAt } = reportOf(received);
  return isKept && deviceAt !== null && before.report.deviceAt !== null && deviceAt < before.report.deviceAt;
}

/** One batch is one statement, because after a storm of ten thousand devices each of them reports every connector. */
const mostInBatch = 1_000;
/** The next batch is prepared while one is being written. */
const batchesAtOnce = 2;

/**
 * Writes the statuses of all sockets of this node in batches; each is durable before its message is answered. A batch
 * is usually one statement. Changes with a listener in charging, and unknown connectors, take a separate step, in which
 * the status and what the listener writes commit together.
 */
export function createStatuses({ steps, hooks, clock, timings, wakeOutbox }: Dependencies) {
  const lines = new Map<number, Line>();
  const batch = createBatch<Line, void>({
    waitMs: timings.batchWaitMs,
    most: mostInBatch,
    atOnce: batchesAtOnce,
    async run(batch) {
      await write(batch.flatMap(take));
      return [];
    },
  });

  /** A batch that fails is tried again in parts, so what a line has taken stays taken until it is written or refused. */
  function take(line: Line): Received[] {
    if (line.taken.length === 0) {
      line.taken = newestOf(line.waiting);
      line.waiting = [];
      line.writing = line.next;
      line.next = null;
    }
    return line.taken;
  }

  function add(connection: DeviceConnection, report: ConnectorStatusReport): Promise<void> {
    const id = connection.chargePointId;
    const line = lines.get(id) ?? { waiting: [], taken: [], next: null, writing: null };
    lines.set(id, line);
    line.waiting.push({ connection, report });
    line.next ??= afterwards(line.writing).then(() =>
      batch.add(line).finally(() => {
        line.taken = [];
        line.writing = null;
        if (line.next === null) lines.delete(id);
      }),
    );
    return line.next;
  }

  async function write(batch: readonly Received[]): Promise<void> {
    const inOrder = batch.toSorted((a, b) => a.connection.chargePointId - b.connection.chargePointId);
    const reports = inOrder.map(reportOf);
    const hold = hooks.wantedStatuses;
    const { held, isPublished, unknown } = await steps.single((db) =>
      writeStatuses(db, reports, { hold, now: clock.now() }),
    );
    if (isPublished) wakeOutbox();
    if (held.length > 0) {
      const listened = held.map(({ index }) => inOrder[index] as Received);
      await steps.run((step) => writeListened(step, listened));
    }
    if (unknown > 0) await steps.run((step) => noteUnknown(step, reports));
  }

  async function writeListened(step: Step, batch: readonly Received[]): Promise<void> {
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
    add,
    async drain(): Promise<void> {
      while (lines.size > 0) {
        await batch.drain();
        await Promise.allSettled([...lines.values()].map(({ next }) => next));
      }
    },
  };
}

/** A device sends what it has kept as soon as it is connected again. */
const queueMs = 2 * 60_000;

function reportOf({ connection, report }: Received) {
  const { chargePointId, connectedAt, hasBooted } = connection;
  const { deviceAt, receivedAt } = report;
  // Later a stamp from before the connect means that the clock is behind, or was set back.
  const isKept = deviceAt !== null && deviceAt < connectedAt && receivedAt - connectedAt < queueMs;
  // What was kept says nothing about the clock. After a boot the connectors are reported as they are now.
  const aheadMs = deviceAt === null || (isKept && !hasBooted) ? null : deviceAt - receivedAt;
  return { ...report, chargePointId, isKept, aheadMs } satisfies StatusReport;
}
