import type { Language } from '@fpay/contract/person';
import type { Settings } from '@fpay/contract/settings';
import type { Screen } from '../atlas/atlas.ts';
import type { Point } from '../atlas/distance.ts';
import type { Marker } from '../atlas/markers.ts';
import type { MapTheme } from '../palette.ts';

export type MapProvider = Settings['map']['base'];

export const embeddedAttribution = '© OpenStreetMap · Natural Earth · GeoNames';

export function isEmbedded({ kind, url }: MapProvider): boolean {
  return kind === 'offline' || !url;
}

/** What the page says about the visible base map. */
export interface BaseMapState {
  attribution: string;
  /** The provider's tiles do not come, and the embedded map is shown instead. */
  hasLostStreets: boolean;
}

export function attributionOf(provider: MapProvider): string {
  return isEmbedded(provider) ? embeddedAttribution : (provider.attribution ?? '');
}

export interface View extends Point {
  zoom: number;
}

/** From the specification. */
export const zoomRange = { lowest: 6, highest: 17, usual: 11 } as const;
export const dnipro: Point = { lat: 48.4647, lon: 35.0462 };

export interface MapLook {
  theme: MapTheme;
  language: Language;
}

/** What is visible on the screen. */
export interface Viewport {
  view: View;
  screen: Screen;
}

export interface MapListener {
  /** `isSettled`: the map does not move. */
  onMove(viewport: Viewport, isSettled: boolean): void;
  onPress(marker: Marker): void;
  /** A press where no marker is. */
  onPlace?(place: Point): void;
  /** Towns whose names are on the screen, the largest first. */
  onTowns(names: string[]): void;
  /** Another base map is visible. */
  onBase(state: BaseMapState): void;
}

export interface MapOptions {
  element: HTMLElement;
  view: View;
  base: MapProvider;
  look: MapLook;
  listener: MapListener;
}

/** The interface between the screen and the map library; another library would have to implement only this. */
export interface StationMap {
  show(markers: readonly Marker[]): void;
  /** Draws the marker larger than the others; null selects none. */
  select(key: string | null): void;
  /** Shows the driver's position. */
  showPosition(place: Point | null): void;
  setStyle(look: MapLook): void;
  /** Null returns to the base map. */
  showSatellite(satellite: MapProvider | null): void;
  /** The size of what covers the map's edges, in CSS px; the centre of the view is the centre of the rest. */
  pad(edges: { top: number; bottom: number; left: number }): void;
  /** Zooms in or out by this many steps. */
  zoomBy(steps: number): void;
  /** Without a zoom, the zoom stays. */
  moveTo(place: Point, zoom?: number): void;
  /** Zooms in until all of these are separate, if that is possible. */
  moveToAll(places: readonly Point[]): void;
  close(): void;
}
