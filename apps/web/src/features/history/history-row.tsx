import { billedStatuses, isAmong, type OperationStatus } from '@fpay/contract/charging';
import type { HistoryItem } from '@fpay/contract/history';
import { addressFor } from '@fpay/contract/languages';
import { kopecks } from '@fpay/contract/money';
import Ban from 'lucide-react/icons/ban';
import CreditCard from 'lucide-react/icons/credit-card';
import Download from 'lucide-react/icons/download';
import Gift from 'lucide-react/icons/gift';
import Hourglass from 'lucide-react/icons/hourglass';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Undo2 from 'lucide-react/icons/undo-2';
import Wallet from 'lucide-react/icons/wallet';
import Zap from 'lucide-react/icons/zap';
import type { ReactNode } from 'react';
import { useAction } from '../../data/action.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Spinner } from '../../ui/form/spinner.tsx';
import { Energy } from '../../ui/format/energy.tsx';
import { formatMinutes } from '../../ui/format/minutes.ts';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { ListItem } from '../../ui/layout/list.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { saveReceipt } from '../charging/queries.ts';

interface Outcome {
  Icon: typeof Zap;
  well: string;
  /** The colours of the badge that names the outcome. */
  badge: string;
  /** Null for a normal charge, which shows its numbers. */
  label: TextKey | null;
}

const done: Outcome = { Icon: Zap, well: 'bg-free-tint text-free', badge: '', label: null };
const failed: Outcome = {
  Icon: TriangleAlert,
  well: 'bg-error-tint text-error',
  badge: 'bg-error-tint text-error',
  label: 'history:failed',
};

/** The history has finished operations only; the others are listed so that the compiler checks every status. */
const outcomes = {
  finished: done,
  pending_final_payment: {
    Icon: Hourglass,
    well: 'bg-occupied-tint text-occupied',
    badge: 'bg-occupied-tint text-occupied',
    label: 'history:unpaid',
  },
  canceled: {
    Icon: Ban,
    well: 'bg-offline-tint text-offline',
    badge: 'bg-offline-tint text-offline',
    label: 'history:canceled',
  },
  failed,
  failed_hold: {
    Icon: CreditCard,
    well: 'bg-error-tint text-error',
    badge: 'bg-error-tint text-error',
    label: 'history:failedHold',
  },
  created: done,
  pending: done,
  starting: done,
  ongoing: done,
  finishing: done,
} as const satisfies Record<OperationStatus, Outcome>;

export function HistoryRow({ item }: { item: HistoryItem }) {
  const text = useText();
  const language = useLanguage();
  const { Icon, well, badge, label } = outcomes[item.status];
  const hasEnergy = isAmong(billedStatuses, item.status);
  const when = [item.time, item.minutes !== null && hasEnergy && formatMinutes(item.minutes)]
    .filter(Boolean)
    .join(', ');
  return (
    <ListItem
      to={`/status/${item.id}`}
      icon={<ConnectorIcon type={item.connector_type} size={24} />}
      wellClassName={well}
      title={<span className="wrap-anywhere">{addressFor(item, language)}</span>}
      subtitle={
        <>
          <Line right={hasEnergy && <Total item={item} />}>{`${item.station_number} · ${when}`}</Line>
          <Line right={hasEnergy && <Energy energy={item.energy} decimals={2} />}>
            <PaidBy item={item} />
          </Line>
          {label && (
            <span
              className={classNames(
                'mt-1.5 inline-flex items-center gap-1.5 rounded-badge px-2 py-1 text-small font-bold',
                badge,
              )}
            >
              <Icon aria-hidden="true" size={16} className="shrink-0" />
              {text(label)}
            </span>
          )}
          {item.refunded && (
            <span className="mt-1.5 inline-flex items-center gap-1.5 rounded-badge bg-free-tint px-2 py-1 text-small font-bold text-free">
              <Undo2 aria-hidden="true" size={16} className="shrink-0" />
              {text('history:back', { amount: formatMoney(item.refunded.amount) })}
            </span>
          )}
        </>
      }
      arrow={!item.has_receipt}
      action={item.has_receipt && <ReceiptButton id={item.id} />}
    />
  );
}

/** What was paid in the end, beside what it was before a return. */
function Total({ item: { total, refunded } }: { item: HistoryItem }) {
  const text = useText();
  return (
    <>
      {refunded && (
        <s className="mr-2">
          <span className="sr-only">{text('history:before')}</span>
          <Money amount={kopecks(total + refunded.amount)} />
        </s>
      )}
      <Money amount={total} className="text-body font-bold text-ink" />
    </>
  );
}

/** What belongs together stays on one line while there is space for both sides. */
function Line({ right, children }: { right: ReactNode; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-0.5">
      <span className="min-w-0 flex-1 basis-[4.5rem]">{children}</span>
      {right && <span className="ml-auto shrink-0">{right}</span>}
    </span>
  );
}

/** Car and payment; a charge that was not paid has only its car. */
function PaidBy({ item }: { item: HistoryItem }) {
  const text = useText();
  const isPaid = isAmong(billedStatuses, item.status);
  const { Icon: PaidIcon, label } = payments[item.payment_type];
  const payment = item.card ? text('history:byCard', { digits: item.card }) : text(label);
  const parts = [item.car_name, isPaid && payment].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <span className="inline-flex max-w-full items-baseline gap-1.5">
      {isPaid && <PaidIcon aria-hidden="true" size={16} className="shrink-0 self-center" />}
      <span className="min-w-0">{parts.join(' · ')}</span>
    </span>
  );
}

const payments = {
  bank: { Icon: CreditCard, label: 'history:card' },
  bonuses: { Icon: Wallet, label: 'history:balance' },
  free: { Icon: Gift, label: 'history:free' },
} as const satisfies Record<HistoryItem['payment_type'], { Icon: typeof Zap; label: TextKey }>;

function ReceiptButton({ id }: { id: number }) {
  const text = useText();
  const { mutate, isPending } = useAction(() => saveReceipt(id));
  return (
    <IconButton
      label={text('history:receipt', { id })}
      icon={isPending ? <Spinner /> : <Download aria-hidden="true" size={20} />}
      onPress={() => !isPending && mutate()}
      className="text-ink-2"
    />
  );
}
