import { message } from '../message.ts';
import { object } from '../schema.ts';
import { integer, oneOf } from '../values.ts';

/** `Scheduled`, the answer during a transaction, means that the change happens when the transaction ends. */
export const ChangeAvailability = message({
  action: 'ChangeAvailability',
  sentBy: 'centralSystem',
  request: object({ connectorId: integer({ min: 0 }), type: oneOf(['Inoperative', 'Operative']) }),
  response: object({ status: oneOf(['Accepted', 'Rejected', 'Scheduled']) }),
});
