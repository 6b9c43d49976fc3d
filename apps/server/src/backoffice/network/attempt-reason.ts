import type { AttemptReason } from '@fpay/contract/admin/network/overview';

interface Attempt {
  status: string;
  /** How many starts were sent. */
  attempt: number;
  hasStarted: boolean;
  failureReason: string | null;
}

/** In this order, because a text may have several of these words. */
const byText: readonly [pattern: RegExp, reason: AttemptReason][] = [
  [/offline|was lost/i, 'offline'],
  [/in time|not started/i, 'not_started'],
  [/fault|failure|error/i, 'fault'],
  [/reject|refus/i, 'rejected'],
];

/** Null for a charge that began at the first attempt. */
export function attemptReason({ status, attempt, hasStarted, failureReason }: Attempt): AttemptReason | null {
  if (status === 'failed_hold') return 'bank';
  if (hasStarted) return attempt > 1 ? 'retried' : null;
  return byText.find(([pattern]) => pattern.test(failureReason ?? ''))?.[1] ?? 'other';
}
