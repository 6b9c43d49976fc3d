import {
  changeDevice,
  commandDevice,
  DeviceChange,
  DeviceCommand,
  type triggeredMessages,
} from '@fpay/contract/admin/network/device-commands';
import { call } from '../../../../api/call.ts';
import type { DeviceCommandName } from './command-table.ts';

/** What the popup of a command asks for; each command uses some of it. */
export interface CommandForm {
  /** `0` is the whole charge point. */
  connector: string;
  requested: (typeof triggeredMessages)[number];
  type: 'Operative' | 'Inoperative';
  location: string;
}

export const emptyCommand: CommandForm = {
  connector: '0',
  requested: 'StatusNotification',
  type: 'Inoperative',
  location: '',
};

/** The request as the contract has it; null while something is missing. */
export function commandOf(
  name: DeviceCommandName,
  { connector, requested, type, location }: CommandForm,
): DeviceCommand | DeviceChange | null {
  const number = Number(connector);
  const wanted = {
    trigger: { action: 'TriggerMessage', message: requested, ...(number > 0 && { connector: number }) },
    unlock: { action: 'UnlockConnector', connector: number },
    availability: { action: 'ChangeAvailability', connector: number, type },
    clearCache: { action: 'ClearCache' },
    diagnostics: { action: 'GetDiagnostics', location: location.trim() },
    firmware: { action: 'UpdateFirmware', location: location.trim() },
    softReset: { action: 'Reset', type: 'Soft' },
    hardReset: { action: 'Reset', type: 'Hard' },
  }[name];
  return DeviceCommand.safeParse(wanted).data ?? DeviceChange.safeParse(wanted).data ?? null;
}

/** Sends the command; its answer appears in the list of the page. */
export function sendCommand(id: number, command: DeviceCommand | DeviceChange): Promise<{ command: number }> {
  const params = { id: String(id) };
  const change = DeviceChange.safeParse(command).data;
  if (change) return call(changeDevice, { params, body: change });
  return call(commandDevice, { params, body: command as DeviceCommand });
}
