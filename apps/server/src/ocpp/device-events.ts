import { normaliseIdTag } from '@fpay/ocpp';
import type { Clock } from '../platform/clock.ts';
import type { Steps } from '../platform/step.ts';
import { type BootedChargePoint, createBoots } from './boots.ts';
import type { Connection } from './connection.ts';
import type { DeviceEvents } from './events.ts';
import type { ChargingHooks } from './hooks.ts';
import type { Samples } from './samples.ts';
import { createSessionStart } from './session-start.ts';
import { createSessionStop } from './session-stop.ts';
import { createStatuses } from './statuses.ts';
import type { Timings } from './timings.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  hooks: ChargingHooks;
  samples: Samples;
  timings: Timings;
  wakeOutbox(): void;
  /** A boot was stored; what follows it may begin. */
  onBooted(connection: Connection, known: BootedChargePoint): void;
}

/** What is done about each thing a device tells: one step, committed before the device is answered. */
export function createDeviceEvents(dependencies: Dependencies): DeviceEvents & { drain(): Promise<void> } {
  const { steps, clock, hooks, samples, timings } = dependencies;
  const boots = createBoots({ steps, clock, timings });

  const statuses = createStatuses(dependencies);

  return {
    async booted(connection, boot) {
      const known = await boots.add(connection, boot);
      connection.hasBooted = true;
      dependencies.onBooted(connection, known);
    },

    connectorStatus: statuses.add,

    authorize: ({ chargePointId, identity }, idTag) =>
      steps.run((step) => hooks.authorize(step, { chargePointId, identity, idTag: normaliseIdTag(idTag) })),

    sessionStarted: createSessionStart({ steps, hooks }),
    samples: samples.add,
    sessionEnded: createSessionStop({ steps, hooks }),

    async notice({ chargePointId }, { kind, payload, raw, receivedAt }) {
      await steps.run(async (step) => {
        await step.db
          .insertInto('charge_point_notices')
          .values({
            charge_point_id: chargePointId,
            kind,
            payload: JSON.stringify(payload),
            raw: textOf(raw),
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

/** JSON writes NUL and half surrogates as escapes, so the text can always be stored. Null: nested too deep to be written. */
function textOf(raw: unknown): string | null {
  try {
    return JSON.stringify(raw) ?? null;
  } catch {
    return null;
  }
}
