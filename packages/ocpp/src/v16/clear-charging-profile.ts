import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { integer, oneOf } from '../values.ts';
import { chargingProfilePurpose } from './charging-profile.ts';

/** Without any field, every profile is cleared. */
export const ClearChargingProfile = message({
  action: 'ClearChargingProfile',
  sentBy: 'centralSystem',
  request: object({
    id: optional(integer()),
    connectorId: optional(integer({ min: 0 })),
    chargingProfilePurpose: optional(chargingProfilePurpose),
    stackLevel: optional(integer({ min: 0 })),
  }),
  response: object({ status: oneOf(['Accepted', 'Unknown']) }),
});
