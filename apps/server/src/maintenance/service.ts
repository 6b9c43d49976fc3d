import type { MaintenanceState } from '@fpay/contract/maintenance';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { Steps } from '../platform/step.ts';
import { isDownAt, maintenanceStateAt, type Shutdown } from './state.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  outbox: Outbox;
  clock: Clock;
}

/** Every call asks whether the service is down, so each node keeps the answer and hears of changes through the outbox. */
export function createMaintenance({ db, steps, outbox, clock }: Dependencies) {
  let shutdown: Shutdown | null = null;

  async function load(): Promise<void> {
    const row = await db.selectFrom('maintenance').selectAll().executeTakeFirst();
    shutdown = row ? { startTime: row.start_time, endTime: row.end_time, text: row.text } : null;
  }
  outbox.subscribe(({ topic }) => {
    // When the read fails the database is away, and the next change or restart reads again.
    if (topic === 'maintenance') load().catch(() => {});
  });
  outbox.onGap(() => void load().catch(() => {}));

  return {
    load,
    isDown: () => isDownAt(shutdown, clock.now()),
    state: (): MaintenanceState => maintenanceStateAt(shutdown, clock.now()),
    async shutDown({ startTime, endTime, text }: Shutdown): Promise<void> {
      await steps.run(async (step) => {
        await step.db.deleteFrom('maintenance').execute();
        await step.db.insertInto('maintenance').values({ start_time: startTime, end_time: endTime, text }).execute();
        step.tell('maintenance', 'state');
      });
      await load();
    },
    async turnOn(): Promise<void> {
      await steps.run(async (step) => {
        await step.db.deleteFrom('maintenance').execute();
        step.tell('maintenance', 'state');
      });
      await load();
    },
  };
}

export type Maintenance = ReturnType<typeof createMaintenance>;
