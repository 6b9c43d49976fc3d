import type { DeviceChange, DeviceCommand } from '@fpay/contract/admin/network/device-commands';
import type { Audit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
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
  /**
   * Does not wait for the answer: the row of the command gets it.
   * @refuses not_found
   */
  order(staff: number, chargePointId: number, command: DeviceCommand | DeviceChange): Promise<number>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  commands: Pick<Commands, 'send' | 'order'>;
  audit: Audit;
  clock: Clock;
}

const auditNames = {
  TriggerMessage: 'station.trigger',
  Reset: 'station.reset',
  UnlockConnector: 'station.unlock',
  ChangeAvailability: 'station.availability',
  ClearCache: 'station.clear-cache',
  GetConfiguration: 'station.read-configuration',
  ChangeConfiguration: 'station.change-configuration',
  GetDiagnostics: 'station.diagnostics',
  UpdateFirmware: 'station.firmware',
} as const satisfies Record<(DeviceCommand | DeviceChange)['action'], string>;

/** A file is tried three times, because devices have weak connections. */
const retries = { retries: 3, retryInterval: 60 };

/** The command as the standard has it. */
function requestOf(
  command: DeviceCommand | DeviceChange,
  now: Date,
): { action: keyof typeof auditNames; payload: object } {
  switch (command.action) {
    case 'TriggerMessage': {
      const { message: requestedMessage, connector: connectorId } = command;
      return { action: 'TriggerMessage', payload: { requestedMessage, ...(connectorId && { connectorId }) } };
    }
    case 'UnlockConnector':
      return { action: 'UnlockConnector', payload: { connectorId: command.connector } };
    case 'ChangeAvailability':
      return { action: 'ChangeAvailability', payload: { connectorId: command.connector, type: command.type } };
    case 'ClearCache':
      return { action: 'ClearCache', payload: {} };
    case 'GetDiagnostics':
      return { action: 'GetDiagnostics', payload: { location: command.location, ...retries } };
    case 'UpdateFirmware': {
      const payload = { location: command.location, retrieveDate: now.toISOString(), ...retries };
      return { action: 'UpdateFirmware', payload };
    }
    default: {
      const { action, ...payload } = command;
      return { action, payload };
    }
  }
}

/** Commands of staff to charge points. The record is written before the command is sent: an answer may never come. */
export function createStationStaffActions({ db, steps, commands, audit, clock }: Dependencies): StationStaffActions {
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
      // A command about a charge is a record of the charge, which names the charge point.
      const about =
        operationId === null
          ? { subject: { kind: 'charge-point', id: chargePointId } as const, after: payload }
          : {
              subject: { kind: 'operation', id: operationId } as const,
              after: { ...payload, charge_point: chargePointId },
            };
      await audit(step, { staff, action: name, ...about });
    });
    return commands.send({ chargePointId, action, payload, operationId, requestedBy: staff });
  }

  return {
    reset: (staff: number, chargePointId: number, type: 'Soft' | 'Hard') =>
      send(staff, chargePointId, 'station.reset', 'Reset', { type }),

    async order(staff, chargePointId, command) {
      const { action, payload } = requestOf(command, clock.now());
      return steps.run(async (step) => {
        const point = await step.db
          .selectFrom('charge_points')
          .select('id')
          .where('id', '=', chargePointId)
          .executeTakeFirst();
        if (!point) throw new Refusal('not_found');
        const subject = { kind: 'charge-point', id: chargePointId } as const;
        await audit(step, { staff, action: auditNames[action], subject, after: { ...payload } });
        return commands.order(step, { chargePointId, action, payload, requestedBy: staff });
      });
    },

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
