import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { addressSchema, instant, integer } from '../values.ts';
import { nothing } from './nothing.ts';

/** It cannot be refused except by a CALLERROR. Progress follows as FirmwareStatusNotification; the proof is the next boot. */
export const UpdateFirmware = message({
  action: 'UpdateFirmware',
  sentBy: 'centralSystem',
  request: object({
    location: addressSchema(1_000),
    retrieveDate: instant(),
    retries: optional(integer({ min: 0 })),
    retryInterval: optional(integer({ min: 0 })),
  }),
  response: nothing,
});
