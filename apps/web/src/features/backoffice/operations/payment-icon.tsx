import type { PaymentType } from '@fpay/contract/charging';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import Wallet from 'lucide-react/icons/wallet';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';

const icons = { bank: CreditCard, bonuses: Wallet, free: Gift } as const satisfies Record<
  PaymentType,
  typeof CreditCard
>;

export const paymentNames = {
  bank: 'adminOperations:paymentBank',
  bonuses: 'adminOperations:paymentBonuses',
  free: 'adminOperations:paymentFree',
} as const satisfies Record<PaymentType, TextKey>;

export function PaymentIcon({ type }: { type: PaymentType }) {
  const text = useText();
  const name = text(paymentNames[type]);
  const Icon = icons[type];
  return (
    <span role="img" aria-label={name} title={name} className="inline-flex align-middle text-ink-2">
      <Icon aria-hidden="true" size={18} />
    </span>
  );
}
