import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import type { Step } from '../../platform/step.ts';
import type { NewCommand } from '../commands/command.ts';
import type { Commands } from '../commands/service.ts';

const minuteMs = 60_000;

/** One remedy: the time since the trouble began, and the command. */
interface Rung {
  afterMs: number;
  commands: readonly Pick<NewCommand, 'action' | 'payload'>[];
}

const askAgain = [{ action: 'TriggerMessage', payload: { requestedMessage: 'StatusNotification' } }] as const;
const offAndOn = [
  { action: 'ChangeAvailability', payload: { type: 'Inoperative' } },
  { action: 'ChangeAvailability', payload: { type: 'Operative' } },
] as const;
const unlock = [{ action: 'UnlockConnector', payload: {} }] as const;

/**
 * The remedies for a connector that does not recover by itself. They are careful, because a car that is left plugged in
 * looks the same as a blocked latch; therefore Finishing lasts an hour before the station's own cable is unlocked.
 * Anything else is left to staff.
 */
export const ladders: Readonly<Record<string, readonly Rung[]>> = {
  Faulted: [
    { afterMs: 20_000, commands: askAgain },
    { afterMs: 2 * minuteMs, commands: offAndOn },
  ],
  Finishing: [
    { afterMs: 5 * minuteMs, commands: askAgain },
    { afterMs: 15 * minuteMs, commands: offAndOn },
    { afterMs: 60 * minuteMs, commands: unlock },
  ],
};

/** The outcomes of remedies lead to nothing, because the connector's next status shows whether it recovered. */
export const ignoreRemedyOutcome = async (): Promise<void> => {};

/**
 * A connector that is stuck again this soon continues with the next remedy, because our own remedies make the status
 * change.
 */
export const relapseMs = 10 * minuteMs;

interface Dependencies {
  clock: Clock;
  commands: Pick<Commands, 'enqueue'>;
}

export function createStuckConnectors({ clock, commands }: Dependencies): DueKind {
  return {
    name: 'stuck-connector',
    table: 'stuck_connectors',
    act: climb,
  };

  async function climb(step: Step, id: number): Promise<void> {
    const { rows } = await sql<StuckRow>`
      select s.ocpp_status, s.since, s.rung, c.charge_point_id, c.ocpp_connector, c.has_cable, p.is_online,
        exists (select from ocpp_transactions t where t.charge_point_id = c.charge_point_id
          and t.ocpp_connector = c.ocpp_connector and t.stopped_at is null) as is_in_use
      from stuck_connectors s join connectors c on c.id = s.connector_id join charge_points p on p.id = c.charge_point_id
      where s.id = ${id}`.execute(step.db);
    const stuck = rows[0];
    if (!stuck) return;
    const ladder = ladders[stuck.ocpp_status] ?? [];
    const rung = ladder[stuck.rung];
    // Remedies are not applied during a running charge or while the device is away; the connector is checked again
    // later.
    const isMine = stuck.is_online && !stuck.is_in_use;
    const next = isMine ? ladder[stuck.rung + 1] : rung;
    const now = clock.now().getTime();
    const nextAt = next && Math.max(stuck.since.getTime() + next.afterMs, now + minuteMs / 3);
    await step.db
      .updateTable('stuck_connectors')
      .set({ rung: stuck.rung + (isMine ? 1 : 0), next_action_at: nextAt === undefined ? null : new Date(nextAt) })
      .where('id', '=', id)
      .execute();
    if (!isMine || !rung) return;
    for (const { action, payload } of rung.commands) {
      // A socket has the driver's own cable, which an unlock would free for anyone.
      if (action === 'UnlockConnector' && !stuck.has_cable) continue;
      await commands.enqueue(step, {
        chargePointId: stuck.charge_point_id,
        action,
        payload: { ...payload, connectorId: stuck.ocpp_connector },
        outcomeTo: 'stuck-connector',
      });
    }
  }
}

interface StuckRow {
  ocpp_status: string;
  since: Date;
  rung: number;
  charge_point_id: number;
  ocpp_connector: number;
  has_cable: boolean;
  is_online: boolean;
  is_in_use: boolean;
}
