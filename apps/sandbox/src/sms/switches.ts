import * as z from 'zod/mini';
import { Fault, faultOff } from '../fault.ts';
import { changesOf, type Switches } from '../switches.ts';

/** The final status of a message, in the terms of the status call. */
const deliveries = ['Delivered', 'Sent', 'Undelivered', 'Expired', 'Rejected'] as const;

export const smsDefaults = {
  /** `refused:203` and similar answer with that code; other faults are common to all parts. */
  send: faultOff as Fault,
  status: faultOff as Fault,
  balance: faultOff as Fault,
  delivery: 'Delivered' as (typeof deliveries)[number],
  hangMs: 60_000,
};
export type SmsSwitches = Switches<typeof smsDefaults>;

/** A change of switches: for all callers, or for one phone. */
export const SmsSwitchChange = z.strictObject({
  phone: z.optional(z.string().check(z.minLength(1), z.maxLength(32))),
  ...changesOf({
    send: Fault,
    status: Fault,
    balance: Fault,
    delivery: z.enum(deliveries),
    hangMs: z.int().check(z.nonnegative(), z.maximum(86_400_000)),
  }),
  /** Sets the account's balance, in kopecks. */
  balanceKopecks: z.optional(z.nullable(z.int().check(z.nonnegative()))),
});

export const smsFields = [
  { name: 'send', label: 'Sending fails (refused:203, refused:305 …)', kind: 'fault' },
  { name: 'status', label: 'Status call fails', kind: 'fault' },
  { name: 'balance', label: 'Balance call fails', kind: 'fault' },
  { name: 'delivery', label: 'Messages end as', kind: deliveries },
  { name: 'hangMs', label: 'No answer lasts, ms', kind: 'number' },
] as const;
