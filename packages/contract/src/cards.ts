import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Instant } from './wire.ts';

export const SavedCard = z.object({
  id: Id,
  /** Null for a card of another payment system. */
  system: z.nullable(z.enum(['visa', 'mastercard'])),
  last4: z.string(),
  /** The card's bank declined it as expired, so it cannot be chosen any more. */
  is_expired: z.boolean(),
  added_at: Instant,
});
export type SavedCard = z.infer<typeof SavedCard>;

export const savedCards = endpoint({
  method: 'GET',
  path: '/api/user/cards',
  summary: "The caller's saved cards; the one that paid last is first",
  access: ['use-balance'],
  reply: z.array(SavedCard),
});

export const removeSavedCard = endpoint({
  method: 'DELETE',
  path: '/api/user/cards/:id',
  summary: 'Remove a saved card here and at the bank; charges that it paid go on',
  access: ['use-balance'],
  params: z.object({ id: IdText }),
  refusals: ['not_found'],
});
