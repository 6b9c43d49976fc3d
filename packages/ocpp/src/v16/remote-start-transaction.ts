import { idTag } from '../id-tag.ts';
import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { integer, oneOf } from '../values.ts';
import { chargingProfile } from './charging-profile.ts';

/** `Accepted` only means that the charge point will try; StartTransaction shows whether it succeeded. */
export const RemoteStartTransaction = message({
  action: 'RemoteStartTransaction',
  sentBy: 'centralSystem',
  request: object({
    idTag: idTag(),
    /** Optional in the standard, but charge points with several connectors refuse a start without it. */
    connectorId: optional(integer({ min: 1 })),
    chargingProfile: optional(chargingProfile),
  }),
  response: object({ status: oneOf(['Accepted', 'Rejected']) }),
});
