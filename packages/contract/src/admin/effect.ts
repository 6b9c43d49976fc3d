import * as z from 'zod/mini';
import { Kopecks, WattHours } from '../money.ts';
import type { RefusalCode } from '../refusals.ts';

/** How a status changes; null where it stays. */
const Change = z.nullable(z.object({ from: z.string(), to: z.string() }));

/** Where money goes: `return` is back to the wallet, `refund` back to the card, `release` lets a hold go. */
export const moneyEffects = ['release', 'return', 'capture', 'refund', 'lost', 'give', 'take'] as const;

/** What an action will do, before it is done. A refused action says why and does nothing. */
export const Effect = z.object({
  is_allowed: z.boolean(),
  /** A code of the refusals; null when the action is allowed. */
  refusal: z.nullable(z.string()),
  operation: Change,
  payment: Change,
  energy: z.nullable(z.object({ from: WattHours, to: WattHours })),
  total: z.nullable(z.object({ from: Kopecks, to: Kopecks })),
  money: z.array(z.object({ kind: z.enum(moneyEffects), amount: Kopecks })),
  /** The command that the charge point gets; null: none. */
  command: z.nullable(z.string()),
  /** It is above the limit of one staff member, so a second one has to approve it. */
  needs_approval: z.boolean(),
});
export type Effect = z.infer<typeof Effect>;

/** An action that is allowed and changes nothing; others are described by what they add to it. */
export const noEffect: Effect = {
  is_allowed: true,
  refusal: null,
  operation: null,
  payment: null,
  energy: null,
  total: null,
  money: [],
  command: null,
  needs_approval: false,
};
export const refusedEffect = (refusal: RefusalCode): Effect => ({ ...noEffect, is_allowed: false, refusal });
