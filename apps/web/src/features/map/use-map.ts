import { useEffect, useRef, useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import type { ShownPlace } from './atlas/atlas.ts';
import {
  attributionOf,
  type BaseMapState,
  dnipro,
  type MapProvider,
  type View,
  type Viewport,
  zoomRange,
} from './canvas/station-map.ts';
import { type MapController, openMap } from './map-controller.ts';
import type { MapTheme } from './palette.ts';
import { darkDevice, shownTheme } from './shown-theme.ts';

interface MapParts {
  base: MapProvider;
  onPlaces: (places: ShownPlace[]) => void;
}

/** More names are too much for a screen reader. */
const mostTowns = 4;

/** The map in its element, with the texts about it. */
export function useMap({ base, onPlaces }: MapParts) {
  const text = useText();
  const language = useLanguage();
  const theme = useShownTheme();
  const element = useRef<HTMLDivElement>(null);
  const [controller, setController] = useState<MapController | null>(null);
  const [viewport, setViewport] = useState<Viewport | null>(null);
  const [stations, setStations] = useState<number | null>(null);
  const [towns, setTowns] = useState<string[]>([]);
  // Set before the map is loaded, because early text makes the page appear loaded.
  const [baseState, setBaseState] = useState<BaseMapState>(() => ({
    attribution: attributionOf(base),
    hasLostStreets: false,
  }));
  const look = useRef({ theme, language });
  look.current = { theme, language };

  useEffect(() => {
    let isGone = false;
    let opened: MapController | null = null;
    const target = element.current;
    if (!target) return;
    void openMap({
      element: target,
      view: lastView(),
      base,
      look: look.current,
      listener: {
        onPlaces,
        onSettled(seen, count) {
          rememberView(seen.view);
          setViewport(seen);
          setStations(count);
        },
        onTowns: setTowns,
        onBase: setBaseState,
      },
    }).then((made) => {
      if (isGone) return made.map.close();
      opened = made;
      setController(made);
    });
    return () => {
      isGone = true;
      opened?.map.close();
      setController(null);
    };
  }, [base, onPlaces]);
  useEffect(() => controller?.map.setStyle({ theme, language }), [controller, theme, language]);

  const named = towns.slice(0, mostTowns).join(', ');
  const counted = stations === null ? '' : text('map:inView', { count: stations });
  const summary = named && counted ? `${counted}. ${text('map:towns', { towns: named })}` : counted;
  return { element, controller, viewport, summary, baseState };
}

const viewKey = 'fpay.map.view';

/** A user who returns from a station finds the previous view. */
function lastView(): View {
  return rememberedView() ?? { ...dnipro, zoom: zoomRange.usual };
}

export function rememberedView(): View | null {
  const [lat = Number.NaN, lon = Number.NaN, zoom = Number.NaN] = (sessionStorage.getItem(viewKey) ?? '')
    .split(',')
    .map(Number.parseFloat);
  return [lat, lon, zoom].every(Number.isFinite) ? { lat, lon, zoom } : null;
}

function rememberView({ lat, lon, zoom }: View): void {
  sessionStorage.setItem(viewKey, [lat, lon, zoom].join());
}

/** The visible theme: the driver's choice, otherwise the device's. */
function useShownTheme(): MapTheme {
  const [theme, setTheme] = useState(shownTheme);
  useEffect(() => {
    const update = () => setTheme(shownTheme());
    const media = matchMedia(darkDevice);
    media.addEventListener('change', update);
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      media.removeEventListener('change', update);
      observer.disconnect();
    };
  }, []);
  return theme;
}
