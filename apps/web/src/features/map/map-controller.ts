import type { Marker, Screen, ShownPlace } from './atlas/atlas.ts';
import { atlas } from './atlas/remote.ts';
import { worldOf } from './basemap/labels.ts';
import {
  type MapLook,
  type MapProvider,
  type Sight,
  type StationMap,
  type View,
  zoomRange,
} from './canvas/station-map.ts';
import { milestone } from './milestone.ts';

interface Parts {
  element: HTMLElement;
  view: View;
  base: MapProvider;
  look: MapLook;
  listener: MapControllerListener;
}

export interface MapControllerListener {
  /** The stations of a marker, or of a group that no zoom takes apart. */
  onPlaces(places: ShownPlace[]): void;
  /** The map stands still over this. */
  onSettled(sight: Sight, stations: number): void;
  onTowns(names: string[]): void;
  onAttribution(attribution: string): void;
}

/** Two places nearer than this at the closest zoom stay one group. */
const inseparablePx = 10;

/** Between the map, which shows, and the worker, which knows: asks for what is in sight and opens what was pressed. */
export async function openMap({ element, view, base, look, listener }: Parts) {
  const { createStationMap } = await import('./canvas/open-layers.ts');
  let screen: Screen | null = null;
  let zoom = view.zoom;
  let lastAsked = 0;

  const map: StationMap = createStationMap({
    element,
    view,
    base,
    look,
    listener: {
      onMove(sight, isSettled) {
        screen = sight.screen;
        zoom = sight.view.zoom;
        void showMarkers();
        if (isSettled) void tellSettled(sight);
      },
      onPress: (marker) => void open(marker),
      onTowns: listener.onTowns,
      onAttribution: listener.onAttribution,
    },
  });

  async function showMarkers(): Promise<void> {
    if (!screen) return;
    lastAsked += 1;
    const asked = lastAsked;
    const markers = await atlas().ask('markers', { screen });
    // An answer to an older question comes too late to be of use.
    if (asked !== lastAsked) return;
    map.show(markers);
    if (markers.length > 0) milestone('map-markers');
  }

  async function tellSettled(sight: Sight): Promise<void> {
    const { total } = await atlas().ask('inView', { screen: sight.screen, most: 0 });
    listener.onSettled(sight, total);
  }

  async function open(marker: Marker): Promise<void> {
    if (marker.kind === 'place') {
      const place = await atlas().ask('place', { key: marker.key });
      if (place) listener.onPlaces([place]);
      return;
    }
    const members = await atlas().ask('members', { level: marker.level, id: marker.id });
    if (members.length === 0) return;
    if (zoom >= zoomRange.highest || areInseparable(members)) listener.onPlaces(members);
    else map.moveToAll(members);
  }

  return {
    map,
    /** The stations changed, or which of them are wanted. */
    async refresh(): Promise<void> {
      if (!screen) return;
      await showMarkers();
      const { total } = await atlas().ask('inView', { screen, most: 0 });
      listener.onSettled({ view: { ...middleOf(screen), zoom }, screen }, total);
    },
  };
}

export type MapController = Awaited<ReturnType<typeof openMap>>;

function areInseparable(places: readonly ShownPlace[]): boolean {
  const worldPx = 256 * 2 ** zoomRange.highest;
  const points = places.map(worldOf);
  const span = (values: number[]) => (Math.max(...values) - Math.min(...values)) * worldPx;
  return Math.max(span(points.map(({ x }) => x)), span(points.map(({ y }) => y))) < inseparablePx;
}

function middleOf({ box: [west, south, east, north] }: Screen) {
  return { lat: (south + north) / 2, lon: (west + east) / 2 };
}
