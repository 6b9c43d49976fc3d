import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import type { GiftFaults } from './amounts.ts';

interface GiftRefusal {
  /** Errors of the fields. */
  faults: GiftFaults;
  /** The error of the gift as a whole. */
  message: TextKey | null;
}

/** What the driver sees after a refused gift. */
export function giftRefusal(error: unknown): GiftRefusal {
  const about = (message: TextKey) => ({ faults: {}, message });
  if (!(error instanceof ApiError)) return about(errorText(error));
  if (error.status >= 500) return about('refusals:serverError');
  if (error.status === 429) return about(errorText(error));
  if (error.status === 404) return { faults: { to: 'refusals:userNotFound' }, message: null };
  if (error.status === 402) return { faults: { amount: 'refusals:insufficientBalance' }, message: null };
  if (error.status === 422) {
    // A wrong number is more likely, so it is marked when the server names no field.
    const isAmount = 'amount' in error.errors && !('to' in error.errors);
    return { faults: isAmount ? { amount: 'generic:invalidAmount' } : { to: 'balance:phoneInvalid' }, message: null };
  }
  // A user of another person's wallet must see that no other number would help.
  return about(error.code === 'only_owner_gifts' ? 'refusals:onlyOwnerGifts' : 'refusals:transferRefused');
}
