import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

/** Slow charge points answer after a minute and many do not answer, so nothing important may wait for it. */
export const TriggerMessage = message({
  action: 'TriggerMessage',
  sentBy: 'centralSystem',
  request: object({
    requestedMessage: oneOf([
      'BootNotification',
      'DiagnosticsStatusNotification',
      'FirmwareStatusNotification',
      'Heartbeat',
      'MeterValues',
      'StatusNotification',
    ]),
    connectorId: optional(integer({ min: 0 })),
  }),
  response: object({ status: oneOf(['Accepted', 'Rejected', 'NotImplemented']) }),
});
