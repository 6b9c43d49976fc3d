import { ApiError } from './errors.ts';

/** How long a refusal requires to wait; 0 when the server did not answer. */
export function pauseAfter(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}

/** True when a code was refused only because one was sent less than this pause ago, so there is no error to show. */
export function isCodePending(error: unknown, resendPauseMs: number): boolean {
  return error instanceof ApiError && error.status === 429 && pauseAfter(error) <= resendPauseMs;
}
