import { errorText } from '../../../api/error-text.ts';
import { ApiError } from '../../../api/errors.ts';
import type { TextKey } from '../../../i18n/text-key.ts';

/** The text of a refusal by its code. A preview names the refusal that the action itself would get. */
export function refusalKey(code: string | null): TextKey {
  return errorText(new ApiError({ status: 409, message: '', code, errors: {}, retryAfter: null, serverTime: null }));
}
