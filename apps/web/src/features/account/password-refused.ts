import { ApiError } from '../../api/errors.ts';

/** The server alone knows the common passwords; nothing else that the page has not checked itself can be wrong with one. */
export function isCommonPassword(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.errors.password !== undefined;
}
