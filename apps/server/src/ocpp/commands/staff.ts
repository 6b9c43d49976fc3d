import type { Audit } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Steps } from '../../platform/step.ts';
import type { CommandAction, CommandOutcome } from './command.ts';
import type { Commands } from './service.ts';

/** Commands that staff send to a charge point, on record. Returns the device's answer, or why there is none. */
export interface StationStaffActions {
  /** @refuses not_found */
  reset(staff: number, chargePointId: number, type: 'Soft' | 'Hard'): Promise<CommandOutcome>;
  /**
   * A transaction counts only at its own charge point.
   * @refuses not_found
   */
  remoteStop(staff: number, chargePointId: number, transactionId: number): Promise<CommandOutcome>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  commands: Pick<Commands, 'send'>;
  audit: Audit;
}

/** Commands of staff to charge points. The record is written before the command is sent: an answer may never come. */
export function createStationStaffActions({ db, steps, commands, audit }: Dependencies): StationStaffActions {
  async function send(
    staff: number,
    chargePointId: number,
    name: string,
    action: CommandAction,
    payload: object,
    operationId: number | null = null,
  ): Promise<CommandOutcome> {
    const point = await db.selectFrom('charge_points').select('id').where('id', '=', chargePointId).executeTakeFirst();
    if (!point) throw new Refusal('not_found');
    await steps.run(async (step) => {
      const subject = { kind: 'charge-point', id: chargePointId } as const;
      await audit(step, { staff, action: name, subject, after: { ...payload } });
      if (operationId === null) return;
      await audit(step, {
        staff,
        action: name,
        subject: { kind: 'operation', id: operationId },
        after: { ...payload },
      });
    });
    return commands.send({ chargePointId, action, payload, operationId, requestedBy: staff });
  }

  return {
    reset: (staff: number, chargePointId: number, type: 'Soft' | 'Hard') =>
      send(staff, chargePointId, 'station.reset', 'Reset', { type }),

    async remoteStop(staff: number, chargePointId: number, transactionId: number): Promise<CommandOutcome> {
      const transaction = await db
        .selectFrom('ocpp_transactions')
        .select('operation_id')
        .where('id', '=', transactionId)
        .where('charge_point_id', '=', chargePointId)
        .executeTakeFirst();
      if (!transaction) throw new Refusal('not_found');
      const { operation_id } = transaction;
      return send(
        staff,
        chargePointId,
        'station.remote-stop',
        'RemoteStopTransaction',
        { transactionId },
        operation_id,
      );
    },
  };
}
