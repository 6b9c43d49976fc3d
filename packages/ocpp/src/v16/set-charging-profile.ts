import { message } from '../message.ts';
import { object } from '../schema.ts';
import { integer, oneOf } from '../values.ts';
import { chargingProfile } from './charging-profile.ts';

export const SetChargingProfile = message({
  action: 'SetChargingProfile',
  sentBy: 'centralSystem',
  request: object({ connectorId: integer({ min: 0 }), csChargingProfiles: chargingProfile }),
  response: object({ status: oneOf(['Accepted', 'Rejected', 'NotSupported']) }),
});
