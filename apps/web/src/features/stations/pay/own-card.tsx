import type { ActiveOperation } from '@fpay/contract/charging';
import type { Connector } from '@fpay/contract/stations';
import Hourglass from 'lucide-react/icons/hourglass';
import { useText } from '../../../i18n/use-text.ts';
import { Money } from '../../../ui/format/money.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { ConnectorHead, wells } from '../connector-card.tsx';

export type UnpaidOperation = ActiveOperation & { unpaid: NonNullable<ActiveOperation['unpaid']> };

interface OwnCardProps {
  operation: UnpaidOperation;
  connector: Connector;
  /** Unix ms of the answer that had the seconds left. */
  knownAt: number;
}

/** The connector that waits for its driver's payment, with the time that is left for it. */
export function OwnCard({ operation: { unpaid, deposit }, connector, knownAt }: OwnCardProps) {
  const text = useText();
  const now = useNow(1000);
  const { seconds, seconds_left } = unpaid;
  const left = seconds_left === null ? null : Math.max(0, Math.ceil(seconds_left - Math.max(0, now - knownAt) / 1000));
  return (
    <div className="overflow-hidden rounded-card bg-surface shadow-card outline-2 -outline-offset-2 outline-occupied-fill">
      <div className="p-3.5">
        <ConnectorHead connector={connector} look={wells.occupied} index={0} />
        <p className="mt-2.5 flex flex-wrap items-center justify-between gap-2">
          <Badge tone="occupied" icon={<Hourglass aria-hidden="true" size={16} strokeWidth={2.4} />}>
            {text('payment:ownWaiting')}
          </Badge>
          {left !== null && (
            <span role="timer" className="tabular text-label font-extrabold">
              {text('payment:ownLeft', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })}
            </span>
          )}
        </p>
        {left !== null && (
          <span aria-hidden="true" className="mt-2.5 block h-2 overflow-hidden rounded-full bg-occupied-tint">
            <span
              className="block h-full bg-occupied-fill"
              style={{ width: `${Math.min(1, left / seconds) * 100}%` }}
            />
          </span>
        )}
      </div>
      <div className="flex flex-col gap-1 border-t border-line bg-surface-2 p-3.5">
        <p className="flex justify-between gap-3 text-label text-ink-2">
          {text('payment:ownDeposit')}
          <Money amount={deposit} className="font-extrabold text-ink" />
        </p>
        <p className="text-note text-ink-2">{text('payment:ownText')}</p>
      </div>
    </div>
  );
}
