import type { Kopecks } from '@fpay/contract/money';
import type { FiscalItem } from './bank.ts';
import type { Payment } from './payment-row.ts';

/** Our two kinds of sale in the fiscal register, which is kept in Ukrainian whatever the payer reads. */
const sales = {
  operation: { code: 'EV-CHARGING', name: 'Послуга з заряджання електромобіля' },
  top_up: { code: 'EV-PREPAYMENT', name: 'Поповнення балансу' },
} as const;

/** The line of a fiscal check for this sum; null where fiscalisation is off in the settings. */
export function fiscalItemFor(
  payment: Pick<Payment, 'purpose'>,
  amount: Kopecks,
  isFiscal: boolean,
): FiscalItem | null {
  return isFiscal ? { ...sales[payment.purpose], amount } : null;
}
