import { addressFor } from '@fpay/contract/languages';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { text as say } from '../../i18n/i18n.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { notify } from '../../ui/overlay/popups.ts';
import type { ShownPlace } from './atlas/atlas.ts';
import { mapQueries } from './queries.ts';
import { inSheetOrder, type SheetStation } from './sheet-order.ts';

/** The stations of a place: at once with the map's data, then with their prices. */
export function usePlaceStations(places: readonly ShownPlace[], isOpen: boolean, onClose: () => void) {
  const text = useText();
  const language = useLanguage();
  const known = places.flatMap(({ stations }) => stations);
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

  const stations: readonly SheetStation[] = data && data.stations.length > 0 ? data.stations : known;
  const connectors = stations.flatMap(({ is_online, connectors }) => (is_online ? connectors : []));
  const free = connectors.filter(({ status }) => status === 'free').length;
  const named = data && 'address' in data ? data : known[0];
  const counted = text('map:stations', { count: stations.length });
  return {
    stations: inSheetOrder(stations),
    address: (named && addressFor(named, language)) ?? '',
    summary: `${counted} · ${text('map:freeOf', { free, total: connectors.length })}`,
    isLoading: isOpen && isPending,
  };
}
