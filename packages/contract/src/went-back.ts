import * as z from 'zod/mini';
import { Kopecks } from './money.ts';
import { Instant } from './wire.ts';

/** What of the price of a charge went back to its driver. */
export const WentBack = z.object({
  /** Without what the bank refused to return. */
  amount: Kopecks,
  /** Each decision of staff; empty when the bank returned the money by itself. */
  returns: z.array(
    z.object({
      amount: Kopecks,
      /** `sent`: the bank is asked for it. `refused`: the bank does not return it, and staff know. */
      state: z.enum(['sent', 'done', 'refused']),
      asked_at: Instant,
      ended_at: z.nullable(Instant),
      /** As staff said it; null when they did not. */
      reason: z.nullable(z.string()),
    }),
  ),
});
export type WentBack = z.infer<typeof WentBack>;
