import { message } from '../message.ts';
import { object } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

/** Ends a running transaction first; not the way to stop one. */
export const UnlockConnector = message({
  action: 'UnlockConnector',
  sentBy: 'centralSystem',
  request: object({ connectorId: integer({ min: 1 }) }),
  response: object({ status: oneOf(['Unlocked', 'UnlockFailed', 'NotSupported']) }),
});
