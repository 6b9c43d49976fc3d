import { message } from '../message.ts';
import { object } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

export const RemoteStopTransaction = message({
  action: 'RemoteStopTransaction',
  sentBy: 'centralSystem',
  // Any integer: a charge point that lost its id waits for the one it made up.
  request: object({ transactionId: integer() }),
  response: object({ status: oneOf(['Accepted', 'Rejected']) }),
});
