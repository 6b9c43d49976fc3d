import CircleCheck from 'lucide-react/icons/circle-check';
import Navigation from 'lucide-react/icons/navigation';
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import type { Point } from './atlas/distance.ts';
import { ConnectorListRow } from './connector-row.tsx';
import { FavouriteStar } from './favourite-star.tsx';
import { isDead, type SheetStation } from './sheet-order.ts';

interface StationCardProps {
  station: SheetStation;
  place: Point;
  /** Prices are loading. */
  isLoading: boolean;
  /** Found by the driver among the others of the place. */
  isChosen: boolean;
}

interface StationCardsProps {
  stations: readonly SheetStation[];
  place: Point;
  /** The number of the station that was chosen in a list. */
  chosen: string | null;
  isLoading: boolean;
}

export function StationCards({ stations, place, chosen, isLoading }: StationCardsProps) {
  return (
    <ul className="flex flex-col gap-3" aria-busy={isLoading}>
      {stations.map((station) => (
        <StationCard
          key={station.number}
          station={station}
          place={place}
          isLoading={isLoading}
          isChosen={stations.length > 1 && station.number === chosen}
        />
      ))}
    </ul>
  );
}

/** One station of a marker: its connectors, the link to payment and the route. */
function StationCard({ station, place, isLoading, isChosen }: StationCardProps) {
  const text = useText();
  const { number, connectors, is_online } = station;
  const address = `/station/${number}`;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li
      ref={card}
      aria-label={number}
      aria-current={isChosen || undefined}
      className={isChosen ? 'rounded-card outline-3 outline-accent' : ''}
    >
      <Card>
        <div className="flex items-center justify-between gap-3">
          <h3 className="text-h2">{number}</h3>
          <FavouriteStar number={number} />
          <Availability station={station} />
        </div>
        {is_online ? (
          <ul className="mt-2 flex flex-col gap-1">
            {connectors.map((connector, index) => (
              <ConnectorListRow
                // biome-ignore lint/suspicious/noArrayIndexKey: before the prices come, connectors have nothing but their place.
                key={index}
                connector={connector}
                address={address}
                isLoading={isLoading}
              />
            ))}
          </ul>
        ) : (
          <p className="mt-2 text-note text-ink-2">{text('map:stationOffline')}</p>
        )}
        <div className="mt-3 flex gap-2">
          <Button kind={isDead(station) ? 'quiet' : 'main'} size="m" to={address} className="flex-1">
            {text('map:toPayment')}
          </Button>
          <Button
            kind="secondary"
            size="m"
            href={`https://www.google.com/maps/search/?api=1&query=${place.lat},${place.lon}`}
            icon={<Navigation aria-hidden="true" size={20} />}
          >
            {text('map:route')}
          </Button>
        </div>
      </Card>
    </li>
  );
}

function Availability({ station }: { station: SheetStation }) {
  const text = useText();
  const free = station.connectors.filter(({ status }) => status === 'free').length;
  if (isDead(station)) return <StatusBadge status="offline" />;
  if (free === 0) return <StatusBadge status="occupied" />;
  return (
    <Badge tone="free" icon={<CircleCheck aria-hidden="true" size={16} strokeWidth={2.4} />}>
      {text('map:freeCount', { count: free })}
    </Badge>
  );
}
