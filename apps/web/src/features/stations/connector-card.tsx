import { connectorTypes } from '@fpay/contract/connectors';
import type { Connector } from '@fpay/contract/stations';
import { lazy, Suspense } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { formatPercent } from '../../ui/format/number-format.ts';
import { Power } from '../../ui/format/power.tsx';
import { chargeTimeLeft } from '../../ui/format/time-left.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { type ShownStatus, StatusBadge } from '../../ui/layout/status-badge.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { shownStatus } from './connector-state.ts';
import { PriceTag } from './price.tsx';

// Few tariffs have an idle fee, so the first load of a station does not carry its line.
const IdleTerms = lazy(async () => ({ default: (await import('./idle-terms.tsx')).IdleTerms }));

interface ConnectorCardProps {
  connector: Connector;
  isStationOnline: boolean;
  index: number;
  isSelected?: boolean;
  onPress: () => void;
}

export const wells = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  offline: 'bg-offline-tint text-offline',
  error: 'bg-error-tint text-error',
} as const satisfies Record<ShownStatus, string>;

/** Free and ready connectors can be chosen; the others only show their state. */
export function ConnectorCard({ connector, isStationOnline, index, isSelected = false, onPress }: ConnectorCardProps) {
  const status = shownStatus(connector, isStationOnline);
  const look = classNames(
    'block w-full rounded-card p-3.5 text-left',
    status === 'offline' ? 'text-ink-2 shadow-card' : 'bg-surface',
    isSelected ? 'shadow-[inset_0_0_0_2px_var(--free-fill)]' : 'shadow-card',
  );
  const content = <Content connector={connector} status={status} index={index} />;
  if (status !== 'free' && status !== 'ready') return <div className={look}>{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onPress}
      className={classNames(look, 'active:bg-surface-2')}
    >
      {content}
    </button>
  );
}

interface ConnectorHeadProps {
  connector: Connector;
  /** The colours of the icon. */
  look: string;
  index: number;
}

/** What does not change: the connector and its price. */
export function ConnectorHead({ connector, look, index }: ConnectorHeadProps) {
  const text = useText();
  const { type, has_cable, api_address, station_number, power, price, old_price } = connector;
  return (
    <span className="flex items-start gap-3.5">
      <span className={classNames('grid size-13 shrink-0 place-items-center rounded-control', look)}>
        <ConnectorIcon type={type} withCable={has_cable} size={32} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-card">{connectorTypes[type].name}</span>
        <span className="block text-note text-ink-2">
          {station_number && <strong className="font-bold text-ink">{station_number} · </strong>}
          {text('station:number', { number: api_address })} · <Power power={power} rated />
        </span>
      </span>
      <PriceTag price={price} oldPrice={old_price} index={index} />
    </span>
  );
}

interface ContentProps {
  connector: Connector;
  status: ShownStatus;
  index: number;
}

function Content({ connector, status, index }: ContentProps) {
  const text = useText();
  const { has_cable, discount_string, progress, time_left } = connector;
  const left = status === 'charging' && time_left !== null ? chargeTimeLeft(time_left) : null;
  return (
    <>
      <ConnectorHead connector={connector} look={wells[status]} index={index} />
      <span className="mt-2.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <StatusBadge status={status} />
        {discount_string && <Badge tone="promo">{discount_string}</Badge>}
        <span className="ml-auto text-note">
          {left ? (
            <span className="font-bold">
              {left.unit === 'hours'
                ? text('station:hoursLeft', { count: left.count })
                : text('station:minutesLeft', { count: left.count })}
            </span>
          ) : (
            <span className="text-ink-2">{has_cable ? text('station:withCable') : text('station:withoutCable')}</span>
          )}
        </span>
      </span>
      {status === 'charging' && progress !== null && <Progress percent={Math.min(100, progress)} />}
      {connector.idle && (
        <Suspense>
          <IdleTerms idle={connector.idle} />
        </Suspense>
      )}
    </>
  );
}

function Progress({ percent }: { percent: number }) {
  const text = useText();
  return (
    <span className="mt-2.5 flex items-center gap-3 text-charging">
      <span
        role="progressbar"
        aria-label={text('station:progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 flex-1 overflow-hidden rounded-full bg-charging-tint"
      >
        <span className="block h-full rounded-full bg-charging-fill" style={{ width: `${percent}%` }} />
      </span>
      <span aria-hidden="true" className="tabular text-label font-extrabold">
        {formatPercent(percent)}
      </span>
    </span>
  );
}
