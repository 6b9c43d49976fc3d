import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { instant, integer, oneOf, textSchema } from '../values.ts';

export const BootNotification = message({
  action: 'BootNotification',
  sentBy: 'chargePoint',
  isOrdered: true,
  request: object({
    chargePointVendor: textSchema(20),
    chargePointModel: textSchema(20),
    chargePointSerialNumber: optional(textSchema(25)),
    chargeBoxSerialNumber: optional(textSchema(25)),
    firmwareVersion: optional(textSchema(50)),
    iccid: optional(textSchema(20)),
    imsi: optional(textSchema(20)),
    meterType: optional(textSchema(25)),
    meterSerialNumber: optional(textSchema(25)),
  }),
  response: object({
    status: oneOf(['Accepted', 'Pending', 'Rejected']),
    currentTime: instant(),
    /** Seconds between heartbeats when accepted, otherwise until the next attempt. */
    interval: integer({ min: 0 }),
  }),
});
