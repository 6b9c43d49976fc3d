import { hundredthsOf } from '@fpay/contract/price';
import type { TextKey } from '../../i18n/text-key.ts';

/** What is wrong with an amount for each of so many members; a comma is refused here, unlike in other forms. */
export function giftAmountFault(typed: string, members: number, balance: number): TextKey | null {
  if (typed.includes(',')) return 'party:noComma';
  const amount = hundredthsOf(typed);
  if (amount === null || amount === 0) return 'generic:invalidAmount';
  return amount * members > balance ? 'refusals:insufficientBalance' : null;
}
