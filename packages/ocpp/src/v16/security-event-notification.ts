import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { instant, textSchema } from '../values.ts';
import { nothing } from './nothing.ts';

/** Part of the security extension: an invalid firmware signature, a failed sign-in, a clock that was set. */
export const SecurityEventNotification = message({
  action: 'SecurityEventNotification',
  sentBy: 'chargePoint',
  request: object({ type: textSchema(50), timestamp: instant(), techInfo: optional(textSchema(255)) }),
  response: nothing,
});
