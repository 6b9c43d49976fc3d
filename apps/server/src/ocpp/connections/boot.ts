import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { forgetStatusTimes } from '../../stations/reported-status.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { Booted } from '../device/events.ts';
import type { Timings } from '../timings.ts';
import { firmwareKey, type KeptConfiguration } from './configuration.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  timings: Timings;
}

/** Stored facts of the device that has just booted, for the steps that follow. */
export interface BootedChargePoint {
  firmware: string;
  kept: KeptConfiguration;
}

interface Boot {
  connection: DeviceConnection;
  boot: Booted;
}

/** Writes boots in batches, because after a power cut in a district thousands arrive. */
export function createBoot({ steps, clock, timings }: Dependencies) {
  const batch = createBatch<Boot, BootedChargePoint>({
    waitMs: timings.batchWaitMs,
    most: 200,
    keyOf: ({ connection }) => connection.chargePointId,
    run: (group) => steps.run((step) => write(step, group)),
  });

  async function write(step: Step, group: readonly Boot[]): Promise<BootedChargePoint[]> {
    const inOrder = group.toSorted((a, b) => a.connection.chargePointId - b.connection.chargePointId);
    const column = <T>(of: (boot: Booted) => T) => inOrder.map(({ boot }) => of(boot));
    const ids = inOrder.map(({ connection }) => connection.chargePointId);
    // A device that boots may have set its clock back, so its timestamps are reset; otherwise an old one would outrank
    // all that follow.
    const { rows } = await sql<{ id: number; configuration: KeptConfiguration }>`
      update charge_points c
      set vendor = v.vendor, model = v.model, serial_number = v.serial_number, firmware_version = v.firmware_version,
          booted_at = ${clock.now()}, status_device_at = null, triggers_ignored = 0
      from unnest(${ids}::bigint[], ${column(({ vendor }) => vendor)}::text[], ${column(({ model }) => model)}::text[],
        ${column(({ serialNumber }) => serialNumber)}::text[], ${column(({ firmwareVersion }) => firmwareVersion)}::text[])
        as v (id, vendor, model, serial_number, firmware_version)
      where c.id = v.id returning c.id, c.configuration`.execute(step.db);
    await forgetStatusTimes(step, ids);
    const kept = new Map(rows.map(({ id, configuration }) => [id, configuration]));
    return group.map(({ connection, boot }) => ({
      firmware: firmwareKey(boot),
      kept: kept.get(connection.chargePointId) ?? {},
    }));
  }

  return { add: (connection: DeviceConnection, boot: Booted) => batch.add({ connection, boot }), drain: batch.drain };
}
