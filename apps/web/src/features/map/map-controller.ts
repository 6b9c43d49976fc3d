import type { Screen, ShownPlace } from './atlas/atlas.ts';
import type { Marker } from './atlas/markers.ts';
import { atlas } from './atlas/remote.ts';
import { worldOf } from './basemap/labels.ts';
import {
  type BaseMapState,
  type MapLook,
  type MapProvider,
  type StationMap,
  type View,
  type Viewport,
  zoomRange,
} from './canvas/station-map.ts';
import { perfMark } from './perf-mark.ts';

interface Parts {
  element: HTMLElement;
  view: View;
  base: MapProvider;
  look: MapLook;
  listener: MapControllerListener;
}

export interface MapControllerListener {
  /** The stations of a marker, or of a group that no zoom separates. */
  onPlaces(places: ShownPlace[]): void;
  /** Called when the map stops moving. */
  onSettled(viewport: Viewport, stations: number): void;
  onTowns(names: string[]): void;
  onBase(state: BaseMapState): void;
}

/** Two places closer than this at the highest zoom stay one group. */
const inseparablePx = 10;

/** Connects the map and the worker: requests the visible markers and opens pressed ones. */
export async function openMap({ element, view, base, look, listener }: Parts) {
  const { createStationMap } = await import('./canvas/open-layers.ts');
  let screen: Screen | null = null;
  let zoom = view.zoom;
  let lastRequest = 0;
  let selected: string | null = null;

  const map: StationMap = createStationMap({
    element,
    view,
    base,
    look,
    listener: {
      onMove(viewport, isSettled) {
        screen = viewport.screen;
        zoom = viewport.view.zoom;
        void showMarkers();
        if (isSettled) void reportSettled(viewport);
      },
      onPress: (marker) => void open(marker),
      onTowns: listener.onTowns,
      onBase: listener.onBase,
    },
  });

  async function showMarkers(): Promise<void> {
    if (!screen) return;
    lastRequest += 1;
    const request = lastRequest;
    const markers = await atlas().ask('markers', { screen, selected });
    // The answer to an earlier request is outdated.
    if (request !== lastRequest) return;
    map.show(markers);
    if (markers.length > 0) perfMark('map-markers');
  }

  async function reportSettled(viewport: Viewport): Promise<void> {
    const { total } = await atlas().ask('inView', { screen: viewport.screen, most: 0 });
    listener.onSettled(viewport, total);
  }

  async function open(marker: Marker): Promise<void> {
    if (marker.kind === 'place') {
      const place = await atlas().ask('place', { key: marker.key });
      if (place) listener.onPlaces([place]);
      return;
    }
    const members = await atlas().ask('members', { parts: marker.parts });
    if (members.length === 0) return;
    if (zoom >= zoomRange.highest || areInseparable(members)) listener.onPlaces(members);
    else map.moveToAll(members);
  }

  return {
    map,
    /** Draws the marker of this place larger than the others, and never within a group; null selects none. */
    select(key: string | null): void {
      if (key === selected) return;
      selected = key;
      map.select(key);
      void showMarkers();
    },
    /** Called when the stations or the filter changed. */
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
