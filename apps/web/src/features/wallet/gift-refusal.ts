import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import type { GiftFaults } from './amounts.ts';

interface GiftRefusal {
  /** Belongs to a field … */
  faults: GiftFaults;
  /** … or to the gift as a whole. */
  message: TextKey | null;
}

/** What the driver reads when a gift was refused. */
export function giftRefusal(error: unknown): GiftRefusal {
  const about = (message: TextKey) => ({ faults: {}, message });
  if (!(error instanceof ApiError)) return about(errorText(error));
  if (error.status >= 500) return about('refusals:serverError');
  if (error.status === 429) return about(errorText(error));
  if (error.status === 404) return { faults: { to: 'refusals:userNotFound' }, message: null };
  if (error.status === 402) return { faults: { amount: 'refusals:insufficientBalance' }, message: null };
  if (error.status === 422) {
    // A number is the likelier mistake, so it takes the blame when nobody says whose it is.
    const isAmount = 'amount' in error.errors && !('to' in error.errors);
    return { faults: isAmount ? { amount: 'generic:invalidAmount' } : { to: 'balance:phoneInvalid' }, message: null };
  }
  // Whoever pays from somebody else's wallet should know that no other number would help.
  return about(error.code === 'only_owner_gifts' ? 'refusals:onlyOwnerGifts' : 'refusals:transferRefused');
}
