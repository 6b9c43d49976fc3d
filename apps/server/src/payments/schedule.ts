import { bankTerms, type Provider } from './bank-terms.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a driver has to pay; after it the bank accepts no payment. */
export const invoiceLifeMs = 15 * minute;
/** An operation that is still open so long before the end of its hold is stopped and settled; the rest is for the capture. */
const leftForCaptureMs = 2 * day;

const quickPollMs = 15 * second;
const quickPollsLastMs = 5 * minute;
const slowPollMs = minute;
/** A status of the last second may take a while to appear. */
const pollGraceMs = 10 * minute;

/** When an open invoice is polled next; null when its time is over. Webhooks may be lost, so all are polled. */
export function nextPollAt(openedAt: Date, expiresAt: Date, now: Date): Date | null {
  if (now.getTime() >= expiresAt.getTime() + pollGraceMs) return null;
  const isYoung = now.getTime() - openedAt.getTime() < quickPollsLastMs;
  return new Date(now.getTime() + (isYoung ? quickPollMs : slowPollMs));
}

/** A failed capture or release is retried after 1, 5, 15 and 60 minutes, then hourly. */
const pausesMs = [minute, 5 * minute, 15 * minute];

export function retryAt(failedTries: number, now: Date): Date {
  return new Date(now.getTime() + (pausesMs[failedTries - 1] ?? hour));
}

/** What the bank accepted takes moments. After a minute it counts as lost and is requested again. */
export const acceptedLookMs = 3 * second;
export const acceptedTimeoutMs = minute;

export function isForgotten(askedAt: Date | null, now: Date): boolean {
  return askedAt === null || now.getTime() - askedAt.getTime() >= acceptedTimeoutMs;
}

interface Held {
  provider: Provider;
  heldAt: Date | null;
  createdAt: Date;
}

/** When the bank of the payment releases the hold by itself. */
export function holdEndsAt({ provider, heldAt, createdAt }: Held): Date {
  return new Date((heldAt ?? createdAt).getTime() + bankTerms[provider].holdLifeMs);
}

export function holdWarningAt(payment: Held): Date {
  return new Date(holdEndsAt(payment).getTime() - leftForCaptureMs);
}
