import { message } from '../message.ts';
import { object } from '../schema.ts';
import { oneOf } from '../values.ts';
import { nothing } from './nothing.ts';

export const DiagnosticsStatusNotification = message({
  action: 'DiagnosticsStatusNotification',
  sentBy: 'chargePoint',
  request: object({ status: oneOf(['Idle', 'Uploaded', 'UploadFailed', 'Uploading'], { unknown: 'Unknown' }) }),
  response: nothing,
});
