import { kopecks } from '@fpay/contract/money';
import Gift from 'lucide-react/icons/gift';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { formatMoney } from '../../ui/format/money.tsx';

interface GiftConfirmationProps {
  gift: { to: string; amount: number };
  /** Masked by the server. */
  name: string;
  busy: boolean;
  onConfirm: () => void;
  onChange: () => void;
}

/** A number is easily mistyped and a gift cannot be undone, so the driver confirms the recipient's name. */
export function GiftConfirmation({ gift, name, busy, onConfirm, onChange }: GiftConfirmationProps) {
  const text = useText();
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="flex flex-col items-center gap-2 rounded-card bg-surface-2 px-4 py-8 text-center">
        <p className="text-h2 text-balance">
          {text('balance:giftAsk', { sum: formatMoney(kopecks(gift.amount)), name })}
        </p>
        <p className="text-body text-ink-2">{formatPhone(gift.to)}</p>
      </div>
      <MainButton onPress={onConfirm} busy={busy} icon={<Gift aria-hidden="true" size={20} />}>
        {text('balance:gift')}
      </MainButton>
      <Button kind="text" onPress={onChange} disabled={busy}>
        {text('balance:giftChange')}
      </Button>
    </div>
  );
}
