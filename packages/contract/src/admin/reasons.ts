import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Language } from '../person.ts';
import { noMoney } from '../staff-money.ts';
import { Id } from '../wire.ts';

export const longestReason = 500;

/**
 * Why staff do it: a text of the list or their own. The page cannot send without one; a client that sends the specified fields only
 * still works, and its row in the audit says that no reason was given.
 */
export const StaffReason = z.optional(z.string().check(z.maxLength(longestReason)));
export const withReason = { reason: StaffReason };

/** What a reason of the list is offered for. `settle` is a capture, a forced end and a corrected energy; `force` a forced status. */
export const reasonKinds = ['refund', 'give', 'take', 'settle', 'force', 'ban'] as const;
export const ReasonKind = z.enum(reasonKinds);
export type ReasonKind = z.infer<typeof ReasonKind>;

const ShortText = z.string().check(z.maxLength(120), z.regex(/\S/, 'The text is required.'));

/** A text in every language of the product. */
const Texts = z.record(Language, ShortText);

export const ListedReason = z.object({
  id: Id,
  texts: Texts,
  /** At least one: a reason for nothing is not offered. */
  kinds: z.array(ReasonKind),
});
export type ListedReason = z.infer<typeof ListedReason>;

const List = z.array(ListedReason);

export const staffReasons = endpoint({
  method: 'GET',
  path: '/api/admin/reasons',
  summary: 'The reasons that staff choose from, in their order',
  access: ['access-admin-page'],
  reply: List,
  openInMaintenance: true,
});

const mostReasons = 60;

export const saveStaffReasons = endpoint({
  method: 'PATCH',
  path: '/api/admin/reasons',
  summary: 'Replace the list of reasons; an entry without an id is new, and one that is left out is removed',
  access: ['access-admin-page', 'manage-users'],
  money: noMoney.person,
  body: z.object({
    reasons: z
      .array(
        z.object({
          id: z.optional(Id),
          texts: Texts,
          kinds: z
            .array(ReasonKind)
            .check(z.minLength(1, 'Choose at least one kind.'), z.maxLength(reasonKinds.length)),
        }),
      )
      .check(z.maxLength(mostReasons)),
  }),
  reply: List,
  refusals: ['not_found'],
  openInMaintenance: true,
});
