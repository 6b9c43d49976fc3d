import { randomBytes } from 'node:crypto';
import { type Audit, noRecord } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createCatalogue } from './catalogue.ts';
import { connectorsInUse } from './connector-rows.ts';
import type { MaintenanceWindows } from './maintenance-windows.ts';

/** What staff may do to a whole station, on record. */
export interface StationStaff {
  /** @refuses station_not_found, connector_in_use, action_not_applicable */
  retire(staff: number, number: string): Promise<void>;
  /** @refuses station_not_found, action_not_applicable */
  restore(staff: number, number: string): Promise<void>;
  /** @refuses station_not_found, not_found, invalid_input */
  planMaintenance(staff: number, number: string, wanted: WantedMaintenance): Promise<number>;
  /** @refuses not_found, action_not_applicable */
  endMaintenance(staff: number, id: number): Promise<void>;
  /**
   * A printed code leads to this station from now on.
   * @refuses station_not_found, not_found
   */
  pointLink(staff: number, code: string, number: string): Promise<void>;
  /**
   * Gives a code to each of these stations that has none, and returns one code of each.
   * @refuses station_not_found
   */
  createLinks(staff: number, numbers: readonly string[]): Promise<{ station: string; code: string }[]>;
}

export interface WantedMaintenance {
  connector: number | null;
  reason: string;
  /** Null: it starts at once. */
  startsAt: Date | null;
  endsAt: Date | null;
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  audit: Audit;
  dueWork: Pick<DueWork, 'wake'>;
  maintenance: MaintenanceWindows;
}

const randomCode = (number: string) => `${number.toLowerCase()}-${randomBytes(3).toString('hex')}`;

export function createStationStaff({ steps, clock, audit, dueWork, maintenance }: Dependencies): StationStaff {
  async function lock(step: Step, number: string) {
    const station = await createCatalogue(step).lockStation(number);
    if (!station) throw new Refusal('station_not_found');
    return station;
  }
  /** The number in small letters, which is easy to type; with a tail when another station has that code. */
  async function newLink(step: Step, station: number, number: string): Promise<string> {
    const catalogue = createCatalogue(step);
    for (;;) {
      const code =
        (await catalogue.linkTarget(number.toLowerCase())) === null ? number.toLowerCase() : randomCode(number);
      if ((await catalogue.putLink(station, code)) === station) return code;
    }
  }
  const subject = (id: number) => ({ kind: 'station', id }) as const;

  return {
    retire: (staff, number) =>
      steps.run(async (step) => {
        const station = await lock(step, number);
        if (station.retired_at !== null) throw new Refusal('action_not_applicable');
        const catalogue = createCatalogue(step);
        const connectors = (await catalogue.presentConnectors(station.id)).map(({ id }) => id);
        if ((await connectorsInUse(step.db, connectors)).length > 0) throw new Refusal('connector_in_use');
        await catalogue.setRetired(station.id, clock.now(), clock.now());
        step.publish('station', station.id);
        await audit(step, { staff, action: 'station.retire', subject: subject(station.id), after: { number } });
      }),

    restore: (staff, number) =>
      steps.run(async (step) => {
        const station = await lock(step, number);
        if (station.retired_at === null) throw new Refusal('action_not_applicable');
        await createCatalogue(step).setRetired(station.id, null, clock.now());
        step.publish('station', station.id);
        await audit(step, { staff, action: 'station.restore', subject: subject(station.id), after: { number } });
      }),

    planMaintenance: (staff, number, { connector, reason, startsAt, endsAt }) =>
      steps.run(async (step) => {
        const station = await lock(step, number);
        const start = startsAt ?? clock.now();
        if (endsAt !== null && endsAt <= start) {
          throw new Refusal('invalid_input', { fields: { ends_at: ['must be after the start'] } });
        }
        if (connector !== null) {
          const own = await createCatalogue(step).presentConnectors(station.id);
          if (!own.some(({ id }) => id === connector)) throw new Refusal('not_found');
        }
        const window = { station: station.id, connector, reason, startsAt: start, endsAt };
        const id = await maintenance.plan(step, window);
        await audit(step, { staff, action: 'station.maintenance', subject: subject(station.id), after: window });
        step.afterCommit(() => dueWork.wake('maintenance-window'));
        return id;
      }),

    endMaintenance: (staff, id) =>
      steps.run(async (step) => {
        const { station, reason } = await maintenance.end(step, id);
        const before = { id, reason };
        await audit(step, { staff, action: 'station.maintenance-end', subject: subject(station), before });
      }),

    pointLink: (staff, code, number) =>
      steps.run(async (step) => {
        const station = await lock(step, number);
        const before = await createCatalogue(step).pointLink(code, station.id);
        if (before === null) throw new Refusal('not_found');
        await audit(step, {
          staff,
          action: 'station.link',
          subject: subject(station.id),
          before: { code, station: before },
          after: { code, station: station.id },
        });
      }),

    createLinks: (staff, numbers) =>
      steps.run(async (step) => {
        const codes: { station: string; code: string }[] = [];
        let isNew = false;
        // In one order, so that two requests never wait for each other's stations.
        for (const number of [...new Set(numbers)].sort()) {
          const station = await lock(step, number);
          const known = await createCatalogue(step).linkOf(station.id);
          const code = known ?? (await newLink(step, station.id, number));
          if (known === null) {
            isNew = true;
            await audit(step, { staff, action: 'station.link', subject: subject(station.id), after: { code } });
          }
          codes.push({ station: number, code });
        }
        // Stations that have a code keep it.
        if (!isNew) noRecord('unchanged');
        return codes;
      }),
  };
}
