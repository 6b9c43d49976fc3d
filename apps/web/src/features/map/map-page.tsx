import type { ConnectorType } from '@fpay/contract/connectors';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { NetworkError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { useWhen } from '../../ui/hooks/use-when.ts';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { useUser } from '../account/queries.ts';
import { useSettings } from '../settings/queries.ts';
import type { Counts, ShownPlace } from './atlas/atlas.ts';
import { atlas } from './atlas/remote.ts';
import { ChunkSheet } from './chunk-sheet.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import { LegendPopup } from './legend-popup.tsx';
import { MapButtons } from './map-buttons.tsx';
import { MapDock } from './map-dock.tsx';
import { MapNotice } from './map-notice.tsx';
import { mapQueries, rememberedTypes, rememberTypes } from './queries.ts';
import { SearchSheet } from './search-sheet.tsx';
import { StationList } from './station-list.tsx';
import { useLocate } from './use-locate.ts';
import { useMap } from './use-map.ts';

/** Only wide screens load it. */
const MapPanel = lazy(async () => ({ default: (await import('./map-panel.tsx')).MapPanel }));

type Panel = 'search' | 'filter' | 'legend' | 'list';

/** The place whose sheet is open, and the zoom for it. */
interface Chosen {
  places: ShownPlace[];
  /** The station, when it was chosen in a list. */
  station?: string;
  zoom?: number;
}
const nothing: Chosen = { places: [] };

/** The zoom after choosing a station from a list. */
const stationZoom = 15;
/** The width of the panel on a wide screen. */
const panelPx = 400;
/** The part of the screen that a marker's sheet covers. */
const sheetShare = 0.74;

/** The map page. Texts and buttons are shown at once; the map, its tiles and its stations are loaded afterwards. */
export function Page() {
  const text = useText();
  const { map: providers } = useSettings();
  const [panel, setPanel] = useState<Panel | null>(null);
  const [chosen, setChosen] = useState<Chosen>(nothing);
  const [isSatellite, setSatellite] = useState(false);
  const onPlaces = useCallback((places: ShownPlace[]) => setChosen({ places }), []);
  const dock = useRef<HTMLDivElement>(null);
  const { element, controller, viewport, summary, baseState } = useMap({ base: providers.base, onPlaces });
  const { types, setTypes, stations } = useStations(controller);
  const counts = useCounts(panel === 'filter', types, stations.dataUpdatedAt);
  const { place: position, isLocating, locate } = useLocate(controller);
  const map = controller?.map;
  const isWide = useWide();
  const near = position ?? viewport?.view ?? null;

  useEffect(
    () => map?.showSatellite(isSatellite ? providers.satellite : null),
    [map, isSatellite, providers.satellite],
  );
  useEffect(() => map?.showPosition(position), [map, position]);
  useEffect(() => {
    const [place] = chosen.places;
    if (isWide) map?.pad({ top: 0, bottom: 0, left: panelPx });
    else {
      const bottom = place ? window.innerHeight * sheetShare : (dock.current?.offsetHeight ?? 0);
      map?.pad({ top: 64, bottom, left: 0 });
    }
    controller?.select(place?.key ?? null);
    // The marker whose sheet is open stays visible above it.
    if (place) map?.moveTo(place, chosen.zoom);
  }, [map, controller, chosen, isWide]);

  const goTo = (place: ShownPlace, station: string) => {
    setPanel(null);
    setChosen({ places: [place], station, zoom: Math.max(stationZoom, viewport?.view.zoom ?? 0) });
  };
  const close = () => setPanel(null);
  const forget = useCallback(() => setChosen(nothing), []);
  return (
    <>
      <h1 className="sr-only">{text('map:title')}</h1>
      <div className="fixed inset-0 bg-[light-dark(#F4F3EC,#0F1613)]">
        <div
          ref={element}
          role="application"
          aria-label={text('map:canvas')}
          aria-describedby="map-summary"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows, plus and minus move the map.
          tabIndex={0}
          className="absolute inset-0 touch-none -outline-offset-4"
        />
      </div>
      <p id="map-summary" className="sr-only">
        {summary}
      </p>
      <MapNotice
        isLoading={stations.isPending}
        isFailed={stations.isError && !stations.data}
        isOffline={stations.error instanceof NetworkError}
        onRetry={stations.refetch}
      />
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-10 mx-auto max-w-3xl lg:left-[400px] lg:max-w-none">
        <MapButtons
          baseState={baseState}
          view={viewport?.view ?? null}
          satellite={providers.satellite ? { isOn: isSatellite, onToggle: () => setSatellite(!isSatellite) } : null}
          onLegend={() => setPanel('legend')}
          onList={isWide ? null : () => setPanel('list')}
          onZoom={isWide && map ? map.zoomBy : null}
          isLocating={isLocating}
          onLocate={locate}
        />
        {!isWide && (
          <MapDock
            ref={dock}
            types={types}
            onTypes={setTypes}
            onSearch={() => setPanel('search')}
            onAllTypes={() => setPanel('filter')}
          />
        )}
      </div>
      {isWide && (
        <Suspense>
          <MapPanel
            types={types}
            onTypes={setTypes}
            onAllTypes={() => setPanel('filter')}
            screen={viewport?.screen ?? null}
            changedAt={stations.dataUpdatedAt}
            near={near}
            isFromDevice={position !== null}
            places={chosen.places}
            chosen={chosen.station ?? null}
            onStation={goTo}
            onClose={forget}
          />
        </Suspense>
      )}
      <SearchSheet
        open={panel === 'search' && !isWide}
        onClose={close}
        near={near}
        isFromDevice={position !== null}
        onStation={goTo}
      />
      <FilterSheet open={panel === 'filter'} onClose={close} types={types} onTypes={setTypes} counts={counts} />
      <LegendPopup open={panel === 'legend'} onClose={close} />
      <StationList open={panel === 'list'} onClose={close} screen={viewport?.screen ?? null} onStation={goTo} />
      {!isWide && <ChunkSheet places={chosen.places} chosen={chosen.station ?? null} onClose={forget} />}
    </>
  );
}

/** The stations and the filter. */
function useStations(controller: { refresh(): Promise<void> } | null) {
  const user = useUser();
  const stations = useQuery(mapQueries.stations(user?.id ?? null));
  const promotions = useQuery(mapQueries.promotions());
  const [types, setTypes] = useState(rememberedTypes);
  const { data, error, dataUpdatedAt } = stations;
  // A lost network is shown quietly on the map and ends by itself.
  const isFailed = error !== null && data === undefined && !(error instanceof NetworkError);

  // The worker answers requests in order, so there is no need to wait for one.
  // Its time marks each change of the stations.
  useOnChange([dataUpdatedAt, types, controller], () => {
    void atlas().ask('setFilter', { types });
    void controller?.refresh();
  });
  useEffect(() => {
    if (!promotions.data) return;
    void atlas().ask('setPromotions', { promotions: promotions.data });
    void controller?.refresh();
  }, [promotions.data, controller]);
  // Shown once, because the following refreshes retry by themselves.
  useWhen(isFailed && error, showError);

  return {
    stations,
    types,
    setTypes(next: ConnectorType[]) {
      rememberTypes(next);
      setTypes(next);
    },
  };
}

/** The number of stations of each type. Requested only while the filter is open, because it parses every station. */
function useCounts(isAsked: boolean, types: readonly ConnectorType[], cameAt: number): Counts | null {
  const [counts, setCounts] = useState<Counts | null>(null);
  // Its time marks each change of the stations.
  useOnChange([isAsked, types, cameAt], () => {
    if (isAsked && cameAt > 0) void atlas().ask('counts', {}).then(setCounts);
  });
  return counts;
}
