import type { ShutdownState } from '@fpay/contract/admin/shutdown';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Maintenance } from './service.ts';
import type { Shutdown } from './state.ts';

/** Shutting the service down and turning it on, on record. Refuses nothing. */
export interface MaintenanceStaffActions {
  state(): ShutdownState;
  shutDown(staff: number, wanted: WantedShutdown): Promise<ShutdownState>;
  turnOn(staff: number): Promise<ShutdownState>;
}

interface Dependencies {
  maintenance: Maintenance;
  audit: Audit;
  clock: Clock;
}

interface WantedShutdown {
  startTime: Date | null;
  endTime: Date | null;
  text: string | null;
}

/** The switch of the whole service, in the hands of staff with manage-app. */
export function createMaintenanceStaffActions({ maintenance, audit, clock }: Dependencies): MaintenanceStaffActions {
  const subject = { kind: 'service', id: 1 } as const;

  return {
    state: (): ShutdownState => stateOf(maintenance.shutdown(), clock.now()),

    async shutDown(staff: number, { startTime, endTime, text }: WantedShutdown): Promise<ShutdownState> {
      const shutdown = { startTime: startTime ?? clock.now(), endTime, text };
      await maintenance.shutDown(shutdown, (step, before) =>
        audit(step, { staff, action: 'service.shut-down', subject, ...(before && { before }), after: shutdown }),
      );
      return stateOf(maintenance.shutdown(), clock.now());
    },

    async turnOn(staff: number): Promise<ShutdownState> {
      await maintenance.turnOn((step, before) =>
        audit(step, { staff, action: 'service.turn-on', subject, ...(before && { before }) }),
      );
      return stateOf(maintenance.shutdown(), clock.now());
    },
  };
}

/** Staff also see a shutdown that has not begun. One that is over is no shutdown any more. */
function stateOf(shutdown: Shutdown | null, now: Date): ShutdownState {
  const isOver = shutdown === null || (shutdown.endTime !== null && shutdown.endTime <= now);
  if (isOver) return { is_down: false, is_planned: false, start_time: null, end_time: null, text: null };
  const isDown = shutdown.startTime <= now;
  return {
    is_down: isDown,
    is_planned: !isDown,
    start_time: shutdown.startTime.toISOString(),
    end_time: shutdown.endTime?.toISOString() ?? null,
    text: shutdown.text,
  };
}
