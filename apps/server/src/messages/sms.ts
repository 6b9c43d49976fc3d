import type { MessageReference, TrackedState } from './tracked.ts';

/**
 * The outcome of one message. `unknown` means that no answer came: it may have been sent, so it is never sent again
 * automatically.
 */
export type SmsOutcome =
  | { kind: 'sent'; id: string }
  | { kind: 'bad_number'; code: number }
  | { kind: 'failed'; code: number | null; canRetry: boolean }
  | { kind: 'unknown' };

const states = {
  sent: 'accepted',
  bad_number: 'failed',
  failed: 'failed',
  unknown: 'unknown',
} as const satisfies Record<SmsOutcome['kind'], TrackedState>;

/** What is known of an SMS after its provider has answered. */
export const smsState = ({ kind }: SmsOutcome): TrackedState => states[kind];

/** An SMS provider; each adapter translates its provider's answers. */
export interface SmsSender {
  send(phone: string, text: string): Promise<SmsOutcome>;
  /** What became of accepted messages, by their ids. One that is still on its way is not in it. */
  deliveries(ids: readonly string[]): Promise<Map<string, SmsDelivery>>;
}

export type SmsDelivery = 'delivered' | 'failed';

/** Enough digits to find a case, too few to call the person. */
export function phoneForLog(phone: string): string {
  return phone.length > 7 ? `${phone.slice(0, 4)}•••${phone.slice(-4)}` : '•••';
}

/** An SMS that waits in its queue. */
export interface SmsJob {
  phone: string;
  text: string;
  /** What shows the outcome; most have none. */
  reference?: MessageReference;
  /** Its row among the messages that are kept. */
  record?: number;
}
