import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { looseText, oneOf, text } from '../values.ts';

export const DataTransfer = message({
  action: 'DataTransfer',
  sentBy: 'both',
  request: object({ vendorId: text(255), messageId: optional(text(50)), data: optional(looseText()) }),
  response: object({
    status: oneOf(['Accepted', 'Rejected', 'UnknownMessageId', 'UnknownVendorId']),
    data: optional(looseText()),
  }),
});
