import { message } from '../message.ts';
import { object } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

export const RemoteStopTransaction = message({
  action: 'RemoteStopTransaction',
  sentBy: 'centralSystem',
  // Any integer, because a charge point that never got an id expects the one that it invented.
  request: object({ transactionId: integer() }),
  response: object({ status: oneOf(['Accepted', 'Rejected']) }),
});
