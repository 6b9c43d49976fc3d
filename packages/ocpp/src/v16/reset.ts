import { message } from '../message.ts';
import { object } from '../schema.ts';
import { oneOf } from '../values.ts';

/** Soft stops transactions first; Hard may restart at once and send StopTransaction after the reboot. */
export const Reset = message({
  action: 'Reset',
  sentBy: 'centralSystem',
  request: object({ type: oneOf(['Hard', 'Soft']) }),
  response: object({ status: oneOf(['Accepted', 'Rejected']) }),
});
