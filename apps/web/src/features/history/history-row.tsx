import { billedStatuses, isAmong, type OperationStatus } from '@fpay/contract/charging';
import type { HistoryItem } from '@fpay/contract/history';
import { useMutation } from '@tanstack/react-query';
import Ban from 'lucide-react/icons/ban';
import CreditCard from 'lucide-react/icons/credit-card';
import Download from 'lucide-react/icons/download';
import Hourglass from 'lucide-react/icons/hourglass';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Zap from 'lucide-react/icons/zap';
import { errorText } from '../../api/error-text.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Energy } from '../../ui/format/energy.tsx';
import { Money } from '../../ui/format/money.tsx';
import { ListItem } from '../../ui/layout/list.tsx';
import { Spinner } from '../../ui/layout/spinner.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { saveReceipt } from '../charging/queries.ts';

interface Outcome {
  Icon: typeof Zap;
  well: string;
  /** Null for a normal charge, which shows its numbers. */
  label: TextKey | null;
}

const done: Outcome = { Icon: Zap, well: 'bg-free-tint text-free', label: null };
const failed: Outcome = { Icon: TriangleAlert, well: 'bg-error-tint text-error', label: 'history:failed' };

/** The history has finished operations only; the others are listed so that the compiler checks every status. */
const outcomes = {
  finished: done,
  pending_final_payment: { Icon: Hourglass, well: 'bg-occupied-tint text-occupied', label: 'history:unpaid' },
  canceled: { Icon: Ban, well: 'bg-offline-tint text-offline', label: 'history:canceled' },
  failed,
  failed_hold: { Icon: CreditCard, well: 'bg-error-tint text-error', label: 'history:failedHold' },
  created: done,
  pending: done,
  starting: done,
  ongoing: done,
  finishing: done,
} as const satisfies Record<OperationStatus, Outcome>;

export function HistoryRow({ item }: { item: HistoryItem }) {
  const text = useText();
  const { Icon, well, label } = outcomes[item.status];
  const hasEnergy = isAmong(billedStatuses, item.status);
  const isFree = item.payment_type === 'free';
  return (
    <ListItem
      to={`/status/${item.id}`}
      icon={<Icon size={20} />}
      wellClassName={well}
      title={item.station_number}
      subtitle={
        <>
          <span className="block truncate">{[item.time, item.car_name].filter(Boolean).join(' · ')}</span>
          {label && text(label)}
        </>
      }
      arrow={false}
      trailing={
        hasEnergy && (
          <span className="shrink-0 text-right">
            <span className="block text-label font-bold">
              {isFree ? text('history:free') : <Money amount={item.total} />}
            </span>
            <span className="block text-small text-ink-2">
              <Energy energy={item.energy} decimals={1} />
            </span>
          </span>
        )
      }
      action={
        item.status === 'finished' && !isFree ? (
          <ReceiptButton id={item.id} />
        ) : (
          <span className="w-11 shrink-0 max-[359px]:w-1.5" />
        )
      }
    />
  );
}

function ReceiptButton({ id }: { id: number }) {
  const text = useText();
  const { mutate, isPending } = useMutation({
    mutationFn: () => saveReceipt(id),
    onError: (error) => void notify(text(errorText(error))),
  });
  return (
    <IconButton
      label={text('history:receipt', { id })}
      icon={isPending ? <Spinner /> : <Download aria-hidden="true" size={20} />}
      onPress={() => !isPending && mutate()}
      className="text-ink-2"
    />
  );
}
