import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { looseText, oneOf, textSchema } from '../values.ts';

export const DataTransfer = message({
  action: 'DataTransfer',
  sentBy: 'both',
  request: object({ vendorId: textSchema(255), messageId: optional(textSchema(50)), data: optional(looseText()) }),
  response: object({
    status: oneOf(['Accepted', 'Rejected', 'UnknownMessageId', 'UnknownVendorId']),
    data: optional(looseText()),
  }),
});
