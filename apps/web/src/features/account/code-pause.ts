import { ApiError } from '../../api/errors.ts';
import { resendPauseMs } from '../../ui/send-again.tsx';

/** How long a refusal asks to wait; silence is no reason to. */
export function pauseAfter(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}

/** Refused only because a code was sent a moment ago: there is nothing to complain about, it is on its way. */
export function isOnItsWay(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429 && pauseAfter(error) <= resendPauseMs;
}
