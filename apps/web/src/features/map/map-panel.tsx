import type { ConnectorType } from '@fpay/contract/connectors';
import CircleX from 'lucide-react/icons/circle-x';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import type { MapStationRow, Screen, ShownPlace } from './atlas/atlas.ts';
import type { Point } from './atlas/distance.ts';
import { atlas } from './atlas/remote.ts';
import { dnipro } from './canvas/station-map.ts';
import { QrLink, TypeChips } from './map-dock.tsx';
import { NoStations } from './no-stations.tsx';
import { StationCards } from './station-card.tsx';
import { StationRowButton } from './station-row.tsx';
import { useFound } from './use-found.ts';
import { usePlaceStations } from './use-place-stations.ts';

interface MapPanelProps {
  types: readonly ConnectorType[];
  onTypes: (types: ConnectorType[]) => void;
  onAllTypes: () => void;
  /** The visible part of the map; null before the map is there. */
  screen: Screen | null;
  /** The time of the last change of the stations. */
  changedAt: number;
  near: Point | null;
  isFromDevice: boolean;
  /** The places whose detail is open. */
  places: readonly ShownPlace[];
  chosen: string | null;
  onStation: (place: ShownPlace, number: string) => void;
  onClose: () => void;
}

const mostRows = 50;

/** On a wide screen everything about stations is beside the map: search, filter, list, and the chosen one in the list. */
export function MapPanel(props: MapPanelProps) {
  const { types, onTypes, onAllTypes, near, isFromDevice, places, chosen, onStation, onClose } = props;
  const text = useText();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const found = useFound(query, near ?? dnipro);
  const inView = useInView(props, near);
  const open = new Set(places.flatMap(({ stations }) => stations.map(({ number }) => number)));
  const rows = (found ?? inView?.rows ?? []).filter(({ station }) => !open.has(station.number));
  const total = found ? found.length : inView?.total;
  const [place] = places;
  return (
    <section
      aria-label={text('map:listTitle')}
      className="fixed inset-y-0 left-0 z-10 flex w-[400px] flex-col border-r border-line bg-surface pt-20"
    >
      <div className="flex gap-2 px-4">
        <div className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-control bg-surface-2 pl-4 focus-within:outline-3 focus-within:outline-focus">
          <Search aria-hidden="true" size={22} className="shrink-0 text-ink-2" />
          <input
            type="text"
            inputMode="search"
            autoComplete="off"
            aria-label={text('map:searchHint')}
            placeholder={text('map:searchHint')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="min-w-0 flex-1 self-stretch bg-transparent text-body outline-none placeholder:text-ink-2"
          />
          {typed !== '' && (
            <IconButton label={text('map:clear')} icon={<CircleX size={22} />} onPress={() => setTyped('')} />
          )}
        </div>
        <QrLink />
      </div>
      <TypeChips types={types} onTypes={onTypes} onAllTypes={onAllTypes} />
      <p role="status" className="flex justify-between gap-3 border-b border-line px-5 pt-3 pb-2 text-small text-ink-2">
        <span>{total !== undefined && text(found ? 'map:stations' : 'map:inView', { count: total })}</span>
        <span>{text(isFromDevice ? 'map:fromYou' : 'map:fromCentre')}</span>
      </p>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {place && <Detail places={places} place={place} chosen={chosen} onClose={onClose} />}
        <ul aria-label={text(found ? 'map:found' : 'map:listTitle')} className="divide-y divide-line">
          {rows.map((row) => (
            <StationRowButton
              key={row.station.number}
              row={row}
              match={query}
              onPress={() => onStation(row.place, row.station.number)}
            />
          ))}
        </ul>
        {found?.length === 0 && <NoStations onClear={() => setTyped('')} />}
        {!found && inView && rows.length === 0 && open.size === 0 && (
          <p className="px-6 py-8 text-center text-note text-pretty text-ink-2">{text('map:noneInView')}</p>
        )}
        {!found && inView && inView.total > mostRows && (
          <p className="px-6 py-4 text-center text-note text-pretty text-ink-2">{text('map:listLimit')}</p>
        )}
      </div>
    </section>
  );
}

interface DetailProps extends Pick<MapPanelProps, 'places' | 'chosen' | 'onClose'> {
  place: ShownPlace;
}

function Detail({ places, place, chosen, onClose }: DetailProps) {
  const text = useText();
  const { stations, address, summary, isLoading } = usePlaceStations(places, true, onClose);
  return (
    <section aria-label={address} className="border-b border-line bg-free-tint px-4 pt-4 pb-5">
      <div className="flex items-start gap-2 pb-3">
        <div className="min-w-0 flex-1 pl-1">
          <h2 className="text-card">{address}</h2>
          <p className="text-note text-ink-2">{summary}</p>
        </div>
        <IconButton label={text('generic:close')} icon={<X size={22} />} onPress={onClose} />
      </div>
      <StationCards stations={stations} place={place} chosen={chosen} isLoading={isLoading} />
    </section>
  );
}

/** The stations on the screen, the nearest first; null until they are known. */
function useInView({ screen, changedAt, types }: MapPanelProps, near: Point | null) {
  const [seen, setSeen] = useState<{ total: number; rows: MapStationRow[] } | null>(null);
  const { lat, lon } = near ?? dnipro;
  // The time and the types mark each change of the stations.
  useOnChange([screen, changedAt, types, lat, lon], () => {
    let isStale = false;
    if (screen) {
      void atlas()
        .ask('inView', { screen, most: mostRows, near: { lat, lon } })
        .then((found) => isStale || setSeen(found));
    }
    return () => {
      isStale = true;
    };
  });
  return seen;
}
