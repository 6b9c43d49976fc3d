import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { integer, oneOf } from '../values.ts';
import { nothing } from './nothing.ts';

export const LogStatusNotification = message({
  action: 'LogStatusNotification',
  sentBy: 'chargePoint',
  request: object({
    status: oneOf(
      ['BadMessage', 'Idle', 'NotSupportedOperation', 'PermissionDenied', 'Uploaded', 'UploadFailure', 'Uploading'],
      { unknown: 'Unknown' },
    ),
    requestId: optional(integer()),
  }),
  response: nothing,
});
