import { headStartMinutes } from '@fpay/contract/free-alerts';
import type { Language } from '@fpay/contract/person';
import type { Step } from '../platform/step.ts';

/** What the queues of stations and of sites have in common. */

export const headStartMs = headStartMinutes * 60_000;
export const lifeMs = 4 * 60 * 60_000;
/** How often a queue is looked at besides the events that move it on. */
export const lookAgainMs = 60_000;
export const alertsAnHour = { most: 30, windowMs: 60 * 60_000 };

/** What a notice needs of messages. */
export type Deliver = (
  step: Step,
  user: number,
  textFor: (language: Language) => {
    title: string;
    body: string;
    chat: string;
    path: `/${string}`;
    tag: string;
    isForSms: boolean;
    ttlSeconds: number;
  },
) => Promise<boolean>;
