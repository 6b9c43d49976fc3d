import LoaderCircle from 'lucide-react/icons/loader-circle';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { type PaymentWait, unsentForMs } from '../pay/unsent-payment.ts';

interface PaymentWaitingProps {
  wait: PaymentWait;
  onWithdraw: () => void;
}

/** In place of the button that was pressed. Only what was not sent can be withdrawn. */
export function PaymentWaiting({ wait: { kind, since }, onWithdraw }: PaymentWaitingProps) {
  const text = useText();
  const now = useNow(1000);
  const seconds = Math.max(0, Math.ceil((since + unsentForMs - now) / 1000));
  const isUnsent = kind === 'unsent';
  const Icon = isUnsent ? WifiOff : LoaderCircle;
  return (
    <>
      <p className="flex items-start gap-3 rounded-control bg-occupied-tint p-3.5 text-note text-occupied">
        <Icon aria-hidden="true" size={24} className={isUnsent ? 'shrink-0' : 'shrink-0 animate-spin'} />
        <span>
          <strong role="status" className="block text-label font-bold">
            {isUnsent ? text('payment:unsent') : text('payment:unanswered')}
          </strong>
          <span className="tabular">
            {isUnsent ? text('payment:unsentText', { seconds }) : text('payment:unansweredText')}
          </span>
        </span>
      </p>
      {isUnsent && <Button onPress={onWithdraw}>{text('payment:withdraw')}</Button>}
    </>
  );
}
