import { normaliseIdTag } from '@fpay/ocpp';
import type { Clock } from '../../platform/clock.ts';
import type { Steps } from '../../platform/step.ts';
import { type BootedChargePoint, createBoot } from '../connections/boot.ts';
import type { ChargingPort } from '../device/charging-port.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';
import type { Samples } from '../metering/samples.ts';
import { createStatuses } from '../recovery/statuses.ts';
import type { Timings } from '../timings.ts';
import { createTransactionStart } from './transaction-start.ts';
import { createTransactionStop } from './transaction-stop.ts';
import { createUsualStarts } from './usual-starts.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  hooks: ChargingPort;
  samples: Samples;
  timings: Timings;
  wakeOutbox(): void;
  /** A boot was stored; the setup of the device may begin. */
  onBooted(connection: DeviceConnection, known: BootedChargePoint): void;
}

/** Handles each event of a device in one step, which commits before the device is answered. */
export function createDeviceEvents(dependencies: Dependencies): DeviceEvents & { drain(): Promise<void> } {
  const { steps, clock, hooks, samples, timings } = dependencies;
  const boots = createBoot({ steps, clock, timings });

  const statuses = createStatuses(dependencies);
  const usual = createUsualStarts({ steps, hooks, timings });

  return {
    async booted(connection, boot) {
      const known = await boots.add(connection, boot);
      connection.hasBooted = true;
      dependencies.onBooted(connection, known);
    },

    connectorStatus: statuses.add,

    authorize: ({ chargePointId, identity }, idTag) =>
      steps.run((step) => hooks.authorize(step, { chargePointId, identity, idTag: normaliseIdTag(idTag) })),

    transactionStarted: createTransactionStart({ steps, hooks, usual }),
    samples: samples.add,
    transactionEnded: createTransactionStop({ steps, hooks }),

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
      await usual.drain();
      await samples.drain();
    },
  };
}

/**
 * JSON writes NUL and half surrogates as escapes, so the text can always be stored. Null when it is nested too deep to
 * be written.
 */
function textOf(raw: unknown): string | null {
  try {
    return JSON.stringify(raw) ?? null;
  } catch {
    return null;
  }
}
