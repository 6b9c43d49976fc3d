import type { IdleFee } from '@fpay/contract/idle-fee';
import Timer from 'lucide-react/icons/timer';
import { useText } from '../../i18n/use-text.ts';
import { formatMoney } from '../../ui/format/money.tsx';

/** Before the payment: what a car that stays plugged in will cost. */
export function IdleNote({ idle }: { idle: IdleFee | null | undefined }) {
  const text = useText();
  if (!idle) return null;
  return (
    <p className="flex items-start gap-3 rounded-card bg-occupied-tint p-3.5 text-note text-occupied">
      <Timer aria-hidden="true" size={20} className="shrink-0" />
      <span>{text('payment:idleNote', { fee: formatMoney(idle.fee), minutes: idle.grace_minutes })}</span>
    </p>
  );
}
