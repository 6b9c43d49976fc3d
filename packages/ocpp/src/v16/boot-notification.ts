import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { instant, integer, oneOf, text } from '../values.ts';

export const BootNotification = message({
  action: 'BootNotification',
  sentBy: 'chargePoint',
  isOrdered: true,
  request: object({
    chargePointVendor: text(20),
    chargePointModel: text(20),
    chargePointSerialNumber: optional(text(25)),
    chargeBoxSerialNumber: optional(text(25)),
    firmwareVersion: optional(text(50)),
    iccid: optional(text(20)),
    imsi: optional(text(20)),
    meterType: optional(text(25)),
    meterSerialNumber: optional(text(25)),
  }),
  response: object({
    status: oneOf(['Accepted', 'Pending', 'Rejected']),
    currentTime: instant(),
    /** Seconds between heartbeats when accepted, else before the next try. */
    interval: integer({ min: 0 }),
  }),
});
