import type { MaintenanceState } from '@fpay/contract/maintenance';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { Step, Steps } from '../platform/step.ts';
import { isDownAt, maintenanceStateAt, type Shutdown } from './state.ts';

/** What else happens in the step of a change, with the shutdown that was in force before. */
export type AlongShutdown = (step: Step, before: Shutdown | null) => Promise<void>;

/** Whether the service is down, and until when. Refuses nothing. */
export interface Maintenance {
  /** Reads the state; each node does so at its start and after every change. */
  load(): Promise<void>;
  /** Asked by every request, so it is answered from memory. */
  isDown(): boolean;
  /** The shutdown in force, also one that is planned or over; null without one. */
  shutdown(): Shutdown | null;
  state(): MaintenanceState;
  shutDown(shutdown: Shutdown, along?: AlongShutdown): Promise<void>;
  turnOn(along?: AlongShutdown): Promise<void>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  outbox: Outbox;
  clock: Clock;
}

/**
 * Every call checks whether the service is down, so each node caches the state and is notified of changes through the
 * outbox.
 */
export function createMaintenance({ db, steps, outbox, clock }: Dependencies): Maintenance {
  let shutdown: Shutdown | null = null;

  async function load(): Promise<void> {
    const row = await db.selectFrom('maintenance').selectAll().executeTakeFirst();
    shutdown = row ? { startTime: row.start_time, endTime: row.end_time, text: row.text } : null;
  }
  // When the read fails the database is away, and the next change or restart reads again.
  outbox.subscribe('maintenance', () => void load().catch(() => {}));
  outbox.onGap(() => void load().catch(() => {}));

  const alone: AlongShutdown = async () => {};

  return {
    load,
    shutdown: () => shutdown,
    isDown: () => isDownAt(shutdown, clock.now()),
    state: (): MaintenanceState => maintenanceStateAt(shutdown, clock.now()),
    async shutDown({ startTime, endTime, text }: Shutdown, along = alone): Promise<void> {
      await steps.run(async (step) => {
        await along(step, shutdown);
        await step.db.deleteFrom('maintenance').execute();
        await step.db.insertInto('maintenance').values({ start_time: startTime, end_time: endTime, text }).execute();
        step.publish('maintenance', 'state');
      });
      await load();
    },
    async turnOn(along = alone): Promise<void> {
      await steps.run(async (step) => {
        await along(step, shutdown);
        await step.db.deleteFrom('maintenance').execute();
        step.publish('maintenance', 'state');
      });
      await load();
    },
  };
}
