import { normaliseIdTag } from '@fpay/ocpp';
import type { Clock } from '../platform/clock.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { DeviceStates } from '../stations/device-states.ts';
import { noteAnomalies } from './anomalies.ts';
import { type BootedChargePoint, createBoots } from './boots.ts';
import type { Connection } from './connection.ts';
import type { ConnectorStatus, DeviceEvents } from './events.ts';
import { createGather } from './gather.ts';
import type { ChargingHooks } from './hooks.ts';
import type { Samples } from './samples.ts';
import { createSessionStart } from './session-start.ts';
import { createSessionStop } from './session-stop.ts';
import { noteIfStuck } from './stuck-connectors.ts';
import type { Timings } from './timings.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  deviceStates: DeviceStates;
  hooks: ChargingHooks;
  samples: Samples;
  timings: Timings;
  /** A boot was stored; what follows it may begin. */
  onBooted(connection: Connection, known: BootedChargePoint): void;
}

/** What is done about each thing a device tells: one step, committed before the device is answered. */
export function createDeviceEvents(dependencies: Dependencies): DeviceEvents & { drain(): Promise<void> } {
  const { steps, clock, deviceStates, hooks, samples, timings } = dependencies;
  const boots = createBoots({ steps, clock, timings });

  // After a storm every device tells the status of every connector: groups share the price of a commit.
  const statuses = createGather<{ connection: Connection; told: ConnectorStatus }, void>({
    waitMs: timings.gatherMs,
    most: 100,
    async run(group) {
      const inOrder = group.toSorted((a, b) => a.connection.chargePointId - b.connection.chargePointId);
      await steps.run(async (step) => {
        for (const { connection, told } of inOrder) await setStatus(step, connection, told);
      });
      return [];
    },
  });

  async function setStatus(step: Step, { chargePointId, identity }: Connection, told: ConnectorStatus): Promise<void> {
    const { ocppConnector, status, errorCode } = told;
    const receivedAt = new Date(told.receivedAt);
    const deviceAt = told.deviceAt === null ? null : new Date(told.deviceAt);
    const outcome = await deviceStates.setStatus(step, { chargePointId, ocppConnector, status, errorCode, deviceAt });
    if (outcome === 'noSuchConnector') {
      const subject = `connector ${ocppConnector}`;
      await noteAnomalies(
        step,
        [{ chargePointId, kind: 'unknownConnector', subject, details: { status } }],
        receivedAt,
      );
    }
    if (outcome !== 'changed') return;
    const connector = await step.db
      .selectFrom('connectors')
      .select('id')
      .where('charge_point_id', '=', chargePointId)
      .where('ocpp_connector', '=', ocppConnector)
      .executeTakeFirst();
    const connectorId = connector?.id ?? null;
    if (connectorId !== null) await noteIfStuck(step, connectorId, status, receivedAt);
    await hooks.connectorStatusChanged(step, {
      chargePointId,
      identity,
      connectorId,
      ocppConnector,
      status,
      errorCode,
      receivedAt,
    });
  }

  return {
    async booted(connection, boot) {
      const known = await boots.add(connection, boot);
      connection.hasBooted = true;
      dependencies.onBooted(connection, known);
    },

    connectorStatus: (connection, told) => statuses.add({ connection, told }),

    authorize: ({ chargePointId, identity }, idTag) =>
      steps.run((step) => hooks.authorize(step, { chargePointId, identity, idTag: normaliseIdTag(idTag) })),

    sessionStarted: createSessionStart({ steps, hooks }),
    samples: samples.add,
    sessionEnded: createSessionStop({ steps, hooks }),

    async notice({ chargePointId }, { kind, payload, receivedAt }) {
      await steps.run(async (step) => {
        await step.db
          .insertInto('charge_point_notices')
          .values({
            charge_point_id: chargePointId,
            kind,
            payload: JSON.stringify(payload),
            received_at: new Date(receivedAt),
          })
          .execute();
      });
    },

    async drain() {
      await boots.drain();
      await statuses.drain();
      await samples.drain();
    },
  };
}
