import * as z from 'zod/mini';
import { Fault, faultOff } from '../fault.ts';
import { changesOf, type Switches } from '../switches.ts';

export const telegramDefaults = {
  /** Every sending call gets 429 with this many seconds to wait; 0 is off. */
  floodSeconds: 0,
  /** Sending calls are all calls that write to a person. */
  send: faultOff as Fault,
  hangMs: 60_000,
};
export type TelegramSwitches = Switches<typeof telegramDefaults>;

/** A change of switches: for all callers, or for one user. */
export const TelegramSwitchChange = z.strictObject({
  user: z.optional(z.pipe(z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))]), z.transform(String))),
  ...changesOf({
    floodSeconds: z.int().check(z.nonnegative(), z.maximum(3600)),
    send: Fault,
    hangMs: z.int().check(z.nonnegative(), z.maximum(86_400_000)),
  }),
});

export const telegramFields = [
  { name: 'floodSeconds', label: 'Too many requests: wait, s', kind: 'number' },
  { name: 'send', label: 'Sending fails (refused:403 …)', kind: 'fault' },
  { name: 'hangMs', label: 'No answer lasts, ms', kind: 'number' },
] as const;
