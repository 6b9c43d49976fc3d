import { type ConnectorStatus, connectorTypes } from '@fpay/contract/connectors';
import type { Kopecks } from '@fpay/contract/money';
import type { TextKey } from '../../i18n/text-key.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Pressable } from '../../ui/form/pressable.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { Power } from '../../ui/format/power.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import type { SheetConnector } from './sheet-order.ts';

type MapStatus = 'free' | 'charging' | 'occupied' | 'offline';

/** On the map, a connector with a plugged-in car is shown as occupied. */
const shown = {
  free: 'free',
  charging: 'charging',
  ready: 'occupied',
  occupied: 'occupied',
  oos: 'offline',
  unknown: 'offline',
} as const satisfies Record<ConnectorStatus, MapStatus>;

const looks = {
  free: { word: 'generic:free', well: 'bg-free-tint text-free', ink: 'text-free' },
  charging: { word: 'generic:charging', well: 'bg-charging-tint text-charging', ink: 'text-charging' },
  occupied: { word: 'generic:occupied', well: 'bg-occupied-tint text-occupied', ink: 'text-occupied' },
  offline: { word: 'generic:offline', well: 'bg-offline-tint text-offline', ink: 'text-offline' },
} as const satisfies Record<MapStatus, { word: TextKey; well: string; ink: string }>;

interface ConnectorRowProps {
  connector: SheetConnector;
  /** The address of the station's page. */
  address: string;
  isLoading: boolean;
}

/** A free connector links to its station; an occupied or offline one has no link. */
export function ConnectorListRow({ connector, address, isLoading }: ConnectorRowProps) {
  const status = shown[connector.status];
  const row = <ConnectorFacts connector={connector} status={status} isLoading={isLoading} />;
  const look = 'flex min-h-13 w-full items-center gap-3 rounded-control py-1';
  if (status === 'occupied' || status === 'offline') return <li className={look}>{row}</li>;
  return (
    <li>
      <Pressable to={address} className={classNames(look, 'active:bg-surface-2')}>
        {row}
      </Pressable>
    </li>
  );
}

function ConnectorFacts({ connector, status, isLoading }: Omit<ConnectorRowProps, 'address'> & { status: MapStatus }) {
  const text = useText();
  const { type, has_cable = false, power, price, old_price = null, discount_string, time_left } = connector;
  const { word, well, ink } = looks[status];
  return (
    <>
      <span className={classNames('grid size-10 shrink-0 place-items-center rounded-control', well)}>
        <span aria-hidden="true">
          <ConnectorIcon type={type} withCable={has_cable} size={26} />
        </span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-body font-[650]">
          {connectorTypes[type].name}
          {power !== undefined && (
            <span className="font-medium text-ink-2">
              {' · '}
              <Power power={power} rated />
            </span>
          )}
        </span>
        <span className={classNames('block text-small font-bold', ink)}>
          {text(word)}
          {status === 'charging' && time_left ? ` · ${minutesLeft(text, time_left)}` : ''}
          {discount_string && (
            <span className="ml-2 inline-block rounded-badge bg-promo-tint px-1.5 text-promo">{discount_string}</span>
          )}
        </span>
      </span>
      {price === undefined ? (
        isLoading && <Skeleton className="h-8 w-16" />
      ) : (
        <PricePerKwh price={price} oldPrice={old_price} />
      )}
    </>
  );
}

function PricePerKwh({ price, oldPrice }: { price: Kopecks; oldPrice: Kopecks | null }) {
  const text = useText();
  const language = useLanguage();
  const format = (kopecks: Kopecks) => formatNumber(kopecks / 100, { least: 2, most: 2 }, language);
  if (price === 0) return <span className="text-label font-extrabold text-free">{text('map:freeOfCharge')}</span>;
  return (
    <span className="tabular shrink-0 text-right">
      <span className="block text-body font-extrabold">
        {oldPrice !== null && (
          <>
            <span className="sr-only">{text('map:usualPrice')} </span>
            <s className="mr-1.5 text-note font-medium text-ink-2">{format(oldPrice)}</s>
          </>
        )}
        {format(price)}
      </span>
      <span className="block text-small text-ink-2">{text('map:perKwh')}</span>
    </span>
  );
}

const mostMinutes = 99;

/** Minutes, or hours above 99 minutes. */
function minutesLeft(text: ReturnType<typeof useText>, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes > mostMinutes
    ? text('map:hoursLeft', { count: Math.round(minutes / 60) })
    : text('map:minutesLeft', { count: minutes });
}
