import { type Kopecks, kopecks } from '@fpay/contract/money';
import { hundredthsOf } from '@fpay/contract/price';
import { topUpLimits } from '@fpay/contract/wallet';
import type { TextKey } from '../../i18n/text-key.ts';

/** Whole hryvnias; the first is the default. */
export const topUpPresets = [100, 250, 500, 1000] as const;

/** Null when the amount is outside the limits. */
export function topUpAmount(typed: string): Kopecks | null {
  const amount = hundredthsOf(typed);
  if (amount === null || amount < topUpLimits.least || amount > topUpLimits.most) return null;
  return kopecks(amount);
}

interface GiftForm {
  /** + and digits. */
  to: string;
  /** Hryvnias, as typed. */
  amount: string;
}

interface Giver {
  phone_number: string;
  balance: Kopecks;
}

export type GiftFaults = { [Field in keyof GiftForm]?: TextKey };

/** The errors of the fields, before anything is sent. */
export function giftFaults({ to, amount }: GiftForm, giver: Giver): GiftFaults {
  const faults: GiftFaults = {};
  if (!/^\+\d{4,14}$/.test(to)) faults.to = 'balance:phoneInvalid';
  else if (to === giver.phone_number) faults.to = 'balance:ownPhone';
  const sum = hundredthsOf(amount);
  if (sum === null || sum === 0) faults.amount = 'generic:invalidAmount';
  else if (sum > giver.balance) faults.amount = 'refusals:insufficientBalance';
  return faults;
}
