import { message } from '../message.ts';
import { object } from '../schema.ts';
import { oneOf } from '../values.ts';
import { nothing } from './nothing.ts';

export const ClearCache = message({
  action: 'ClearCache',
  sentBy: 'centralSystem',
  request: nothing,
  response: object({ status: oneOf(['Accepted', 'Rejected']) }),
});
