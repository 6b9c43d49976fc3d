import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { instant, text } from '../values.ts';
import { nothing } from './nothing.ts';

/** Of the security extension: a wrong firmware signature, a failed sign-in, a clock that was set. */
export const SecurityEventNotification = message({
  action: 'SecurityEventNotification',
  sentBy: 'chargePoint',
  request: object({ type: text(50), timestamp: instant(), techInfo: optional(text(255)) }),
  response: nothing,
});
