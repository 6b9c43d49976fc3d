import type { PaymentType } from '@fpay/contract/charging';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import Wallet from 'lucide-react/icons/wallet';

const icons = { bank: CreditCard, bonuses: Wallet, free: Gift } as const satisfies Record<
  PaymentType,
  typeof CreditCard
>;

export function PaymentIcon({ type }: { type: PaymentType }) {
  const Icon = icons[type];
  return (
    <span role="img" aria-label={type} title={type} className="inline-flex align-middle text-ink-2">
      <Icon aria-hidden="true" size={18} />
    </span>
  );
}
