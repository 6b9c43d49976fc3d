import type { Kopecks } from '@fpay/contract/money';
import type { FiscalItem } from './bank.ts';
import type { Payment } from './payment-row.ts';

/** The codes of our two kinds of sale in the fiscal register. */
const codes = { operation: 'EV-CHARGING', top_up: 'EV-PREPAYMENT' } as const;

/** The line of a fiscal check for this sum; null where fiscalisation is off in the settings. */
export function fiscalItemFor(
  payment: Pick<Payment, 'purpose' | 'description'>,
  amount: Kopecks,
  isFiscal: boolean,
): FiscalItem | null {
  return isFiscal ? { name: payment.description, code: codes[payment.purpose], amount } : null;
}
