import * as z from 'zod/mini';
import { Id } from './wire.ts';

/** An operation that waits for its payment at the bank. */
export const Unpaid = z.object({
  /** The connector that is kept for the driver meanwhile. */
  connector: Id,
  /** The bank's page; null for the moment until the bank has made it. */
  page_url: z.nullable(z.string()),
  /** Seconds until the bank closes its page, and how many there were; null before it has one. */
  seconds_left: z.nullable(z.int()),
  seconds: z.int(),
});
