import type { IdleFee } from '@fpay/contract/idle-fee';
import Timer from 'lucide-react/icons/timer';
import { useText } from '../../i18n/use-text.ts';
import { formatMoney } from '../../ui/format/money.tsx';

/** The idle fee of a connector, in one line. */
export function IdleTerms({ idle }: { idle: IdleFee }) {
  const text = useText();
  return (
    <span className="mt-2 flex items-start gap-1.5 text-note text-ink-2">
      <Timer aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      {text('station:idleTerms', { fee: formatMoney(idle.fee), minutes: idle.grace_minutes })}
    </span>
  );
}
