import type { Connector, Station } from '@fpay/contract/stations';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { text as say } from '../../i18n/i18n.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { notify } from '../../ui/overlay/popups.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import type { ShownPlace } from './atlas/atlas.ts';
import { mapQueries } from './queries.ts';
import { inSheetOrder } from './sheet-order.ts';
import { StationCard } from './station-card.tsx';

interface ChunkSheetProps {
  /** The places of one marker, or of a group that cannot be separated; empty when closed. */
  places: readonly ShownPlace[];
  onClose: () => void;
}

/** A connector in the sheet; the map does not have its price and power. */
export type SheetConnector = Pick<Connector, 'type' | 'status'> & Partial<Connector>;
export interface SheetStation extends Pick<Station, 'number' | 'is_online'> {
  connectors: readonly SheetConnector[];
}

/** The stations of a marker. They are shown at once with the map's data; prices follow. */
export function ChunkSheet({ places, onClose }: ChunkSheetProps) {
  const text = useText();
  const language = useLanguage();
  const isOpen = places.length > 0;
  // The last ones stay visible while the sheet closes.
  const [shown, setShown] = useState(places);
  if (isOpen && places !== shown) setShown(places);

  const known = shown.flatMap(({ stations }) => stations);
  const { data, isPending } = useQuery({
    ...mapQueries.chunk(known.map(({ number }) => number)),
    enabled: isOpen,
  });
  const isEmpty = isOpen && data?.stations.length === 0;
  useEffect(() => {
    if (!isEmpty) return;
    onClose();
    void notify(say('map:emptyChunk'));
  }, [isEmpty, onClose]);

  const [place] = shown;
  if (!place) return null;
  const stations: readonly SheetStation[] = data && data.stations.length > 0 ? data.stations : known;
  const connectors = stations.flatMap(({ is_online, connectors }) => (is_online ? connectors : []));
  const free = connectors.filter(({ status }) => status === 'free').length;
  const named = data && 'address' in data ? data : known[0];
  const counted = text('map:stations', { count: stations.length });
  return (
    <Sheet
      low
      open={isOpen}
      onClose={onClose}
      title={(language === 'uk' ? named?.address_uk : named?.address) ?? ''}
      subtitle={`${counted} · ${text('map:freeOf', { free, total: connectors.length })}`}
    >
      <ul className="flex flex-col gap-3" aria-busy={isOpen && isPending}>
        {inSheetOrder(stations).map((station) => (
          <StationCard key={station.number} station={station} place={place} isLoading={isOpen && isPending} />
        ))}
      </ul>
    </Sheet>
  );
}
