import { message } from '../message.ts';
import { object } from '../schema.ts';
import { oneOf } from '../values.ts';
import { nothing } from './nothing.ts';

export const FirmwareStatusNotification = message({
  action: 'FirmwareStatusNotification',
  sentBy: 'chargePoint',
  request: object({
    status: oneOf(
      ['Downloaded', 'DownloadFailed', 'Downloading', 'Idle', 'InstallationFailed', 'Installing', 'Installed'],
      { unknown: 'Unknown' },
    ),
  }),
  response: nothing,
});
