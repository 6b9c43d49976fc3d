import { message } from '../message.ts';
import { object } from '../schema.ts';
import { oneOf, text } from '../values.ts';

/** Values are always text: `"true"`, `"60"`. */
export const ChangeConfiguration = message({
  action: 'ChangeConfiguration',
  sentBy: 'centralSystem',
  request: object({ key: text(50), value: text(500) }),
  response: object({ status: oneOf(['Accepted', 'Rejected', 'RebootRequired', 'NotSupported']) }),
});
