import { ApiError } from '../../api/errors.ts';

/** Only the server has the list of common passwords; the page has checked everything else about a password itself. */
export function isPasswordRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.errors.password !== undefined;
}
