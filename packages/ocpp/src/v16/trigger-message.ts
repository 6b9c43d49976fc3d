import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

/** Slow ones answer after a minute, many not at all: never wait for it with anything that matters. */
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
