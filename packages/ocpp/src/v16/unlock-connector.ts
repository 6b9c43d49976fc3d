import { message } from '../message.ts';
import { object } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

/** This first ends a running transaction, but it must not be used to stop one. */
export const UnlockConnector = message({
  action: 'UnlockConnector',
  sentBy: 'centralSystem',
  request: object({ connectorId: integer({ min: 1 }) }),
  response: object({ status: oneOf(['Unlocked', 'UnlockFailed', 'NotSupported']) }),
});
