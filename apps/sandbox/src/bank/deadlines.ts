import {
  decline,
  endCancels,
  endCapture,
  endPayment,
  expire,
  expireHold,
  type Invoice,
  isBeingReturned,
} from './invoice.ts';
import type { BankSwitchValues } from './switches.ts';

const dayMs = 86_400_000;
/** The bank releases a hold by itself after this time. */
const holdLifeMs = 9 * dayMs;
const linkExpired = '8001';

type Pace = Pick<
  BankSwitchValues,
  'processingMs' | 'finalizeMs' | 'cancelMs' | 'cancelEndsIn' | 'partlyReturnedAs' | 'ageDays' | 'timeScale'
>;

interface Deadline {
  at: number;
  apply(invoice: Invoice, now: number): Invoice;
}

/** The next change of an invoice that happens by time alone; null when there is none. */
export function nextDeadline(invoice: Invoice, pace: Pace): Deadline | null {
  const after = (since: number, durationMs: number) => since + durationMs / pace.timeScale;
  const deadlines: Deadline[] = [];
  const validUntil = after(invoice.createdAt, invoice.validitySec * 1000);

  if (invoice.status === 'created') deadlines.push({ at: validUntil, apply: expire });
  if (invoice.thinking) {
    deadlines.push(
      invoice.thinking.awaits3ds
        ? { at: validUntil, apply: (late, now) => decline(late, linkExpired, now) }
        : { at: after(invoice.thinking.since, pace.processingMs), apply: endPayment },
    );
  }
  if (invoice.capturing) {
    deadlines.push({ at: after(invoice.capturing.since, pace.finalizeMs), apply: endCapture });
  }
  if (isBeingReturned(invoice)) {
    const since = Math.min(...invoice.cancels.filter((c) => c.status === 'processing').map((c) => c.createdAt));
    deadlines.push({
      at: after(since, pace.cancelMs),
      apply: (paid, now) => endCancels(paid, pace.cancelEndsIn, pace.partlyReturnedAs, now),
    });
  }
  if (invoice.status === 'hold' && invoice.heldAt !== null && !invoice.capturing) {
    deadlines.push({ at: after(invoice.heldAt, holdLifeMs) - pace.ageDays * dayMs, apply: expireHold });
  }
  return deadlines.sort((a, b) => a.at - b.at)[0] ?? null;
}
