const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a driver has to pay; after it the bank takes no more. */
export const invoiceLifeMs = 15 * minute;
/** The bank lets a hold go by itself after this. */
export const holdLifeMs = 9 * day;
/** An operation still open by then is stopped and settled: two days are left to get the capture through. */
export const holdWarningMs = 7 * day;

const quickPollMs = 15 * second;
const quickPollsLastMs = 5 * minute;
const slowPollMs = minute;
/** News of the last second may take a while to show. */
const pollGraceMs = 10 * minute;

/** When an open invoice is asked about next; null: it has had its time. Webhooks may get lost, so all are asked about. */
export function nextPollAt(openedAt: Date, expiresAt: Date, now: Date): Date | null {
  if (now.getTime() >= expiresAt.getTime() + pollGraceMs) return null;
  const isYoung = now.getTime() - openedAt.getTime() < quickPollsLastMs;
  return new Date(now.getTime() + (isYoung ? quickPollMs : slowPollMs));
}

/** A failed capture or release is tried again after 1, 5, 15 and 60 minutes, then hourly. */
const pausesMs = [minute, 5 * minute, 15 * minute];

export function retryAt(failedTries: number, now: Date): Date {
  return new Date(now.getTime() + (pausesMs[failedTries - 1] ?? hour));
}

/** What the bank accepted takes moments. Past a minute it is taken for forgotten and asked for again. */
export const acceptedLookMs = 3 * second;
export const acceptedPatienceMs = minute;

export function isForgotten(askedAt: Date | null, now: Date): boolean {
  return askedAt === null || now.getTime() - askedAt.getTime() >= acceptedPatienceMs;
}

export function holdEndsAt(heldAt: Date): Date {
  return new Date(heldAt.getTime() + holdLifeMs);
}

export function holdWarningAt(heldAt: Date): Date {
  return new Date(heldAt.getTime() + holdWarningMs);
}
