import { idTag } from '../id-tag.ts';
import { message } from '../message.ts';
import { object } from '../schema.ts';
import { idTagInfo } from './id-tag-info.ts';

export const Authorize = message({
  action: 'Authorize',
  sentBy: 'chargePoint',
  request: object({ idTag: idTag() }),
  response: object({ idTagInfo }),
});
