import type { Kopecks } from '@fpay/contract/money';
import type { Goods } from './bank.ts';
import type { Payment } from './store.ts';

/** What the fiscal register calls our two kinds of sale. */
const codes = { operation: 'EV-CHARGING', top_up: 'EV-PREPAYMENT' } as const;

/** The line of a fiscal check for this sum; null where fiscalisation is off in the settings. */
export function goodsFor(
  payment: Pick<Payment, 'purpose' | 'description'>,
  amount: Kopecks,
  isFiscal: boolean,
): Goods | null {
  return isFiscal ? { name: payment.description, code: codes[payment.purpose], amount } : null;
}
