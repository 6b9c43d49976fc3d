import { message } from '../message.ts';
import { object } from '../schema.ts';
import { oneOf, textSchema } from '../values.ts';

/** Values are always text: `"true"`, `"60"`. */
export const ChangeConfiguration = message({
  action: 'ChangeConfiguration',
  sentBy: 'centralSystem',
  request: object({ key: textSchema(50), value: textSchema(500) }),
  response: object({ status: oneOf(['Accepted', 'Rejected', 'RebootRequired', 'NotSupported']) }),
});
