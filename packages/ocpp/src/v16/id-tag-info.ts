import { idTag } from '../id-tag.ts';
import { object, optional } from '../schema.ts';
import { instant, oneOf } from '../values.ts';

/** The central system's decision about a tag. */
export const idTagInfo = object({
  status: oneOf(['Accepted', 'Blocked', 'Expired', 'Invalid', 'ConcurrentTx'], { unknown: 'Invalid' }),
  expiryDate: optional(instant()),
  parentIdTag: optional(idTag()),
});
