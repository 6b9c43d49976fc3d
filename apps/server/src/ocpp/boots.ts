import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Step, Steps } from '../platform/step.ts';
import { firmwareKey, type KeptConfiguration } from './configuration.ts';
import type { Connection } from './connection.ts';
import type { Booted } from './events.ts';
import { createGather } from './gather.ts';
import type { Timings } from './timings.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  timings: Timings;
}

/** What is known of the device that has just booted, for what follows. */
export interface BootedChargePoint {
  firmware: string;
  kept: KeptConfiguration;
}

interface Boot {
  connection: Connection;
  boot: Booted;
}

/** Boots in groups: after a power cut in a district they come by the thousand. */
export function createBoots({ steps, clock, timings }: Dependencies) {
  const gather = createGather<Boot, BootedChargePoint>({
    waitMs: timings.gatherMs,
    most: 200,
    keyOf: ({ connection }) => connection.chargePointId,
    run: (group) => steps.run((step) => write(step, group)),
  });

  async function write(step: Step, group: readonly Boot[]): Promise<BootedChargePoint[]> {
    const inOrder = group.toSorted((a, b) => a.connection.chargePointId - b.connection.chargePointId);
    const column = <T>(of: (boot: Booted) => T) => inOrder.map(({ boot }) => of(boot));
    const ids = inOrder.map(({ connection }) => connection.chargePointId);
    // A device that boots may have set its clock back: its stamps start anew, or an old one would outrank all that follow.
    const { rows } = await sql<{ id: number; configuration: KeptConfiguration }>`
      update charge_points c
      set vendor = v.vendor, model = v.model, serial_number = v.serial_number, firmware_version = v.firmware_version,
          booted_at = ${clock.now()}, status_device_at = null, triggers_ignored = 0
      from unnest(${ids}::bigint[], ${column(({ vendor }) => vendor)}::text[], ${column(({ model }) => model)}::text[],
        ${column(({ serialNumber }) => serialNumber)}::text[], ${column(({ firmwareVersion }) => firmwareVersion)}::text[])
        as v (id, vendor, model, serial_number, firmware_version)
      where c.id = v.id returning c.id, c.configuration`.execute(step.db);
    await sql`
      update connectors set status_device_at = null
      where charge_point_id = any(${ids}::bigint[]) and status_device_at is not null`.execute(step.db);
    const kept = new Map(rows.map(({ id, configuration }) => [id, configuration]));
    return group.map(({ connection, boot }) => ({
      firmware: firmwareKey(boot),
      kept: kept.get(connection.chargePointId) ?? {},
    }));
  }

  return { add: (connection: Connection, boot: Booted) => gather.add({ connection, boot }), drain: gather.drain };
}
