import type { Settings } from '@fpay/contract/settings';
import type { Language } from '../../../i18n/languages.ts';
import type { Marker, Screen } from '../atlas/atlas.ts';
import type { Point } from '../atlas/distance.ts';
import type { Theme } from '../drawing/palette.ts';

export type MapProvider = Settings['map']['base'];

export const embeddedAttribution = '© OpenStreetMap · Natural Earth · GeoNames';

export function isEmbedded({ kind, url }: MapProvider): boolean {
  return kind === 'offline' || !url;
}

/** Whose the map is, as long as its tiles come. */
export function attributionOf(provider: MapProvider): string {
  return isEmbedded(provider) ? embeddedAttribution : (provider.attribution ?? '');
}

export interface View extends Point {
  zoom: number;
}

/** The specification's. */
export const zoomRange = { lowest: 6, highest: 17, usual: 11 } as const;
export const dnipro: Point = { lat: 48.4647, lon: 35.0462 };

export interface MapLook {
  theme: Theme;
  language: Language;
}

/** What is where on the screen now. */
export interface Sight {
  view: View;
  screen: Screen;
}

export interface MapListener {
  /** `isSettled`: the map stands still. */
  onMove(sight: Sight, isSettled: boolean): void;
  onPress(marker: Marker): void;
  /** Towns whose names are on the screen, the largest first. */
  onTowns(names: string[]): void;
  /** Whose map is seen: the credit belongs to it. */
  onAttribution(attribution: string): void;
}

export interface MapOptions {
  element: HTMLElement;
  view: View;
  base: MapProvider;
  look: MapLook;
  listener: MapListener;
}

/** All that the screen knows of the map library: another one would have to do no more than this. */
export interface StationMap {
  show(markers: readonly Marker[]): void;
  /** Drawn larger than the others; null: none. */
  select(key: string | null): void;
  /** Where the driver stands. */
  standAt(place: Point | null): void;
  dress(look: MapLook): void;
  /** Null: back to the base map. */
  showSatellite(satellite: MapProvider | null): void;
  /** What covers the map's edges, in CSS px: the middle of the view is the middle of what remains. */
  pad(edges: { top: number; bottom: number }): void;
  /** Without a zoom it stays as near as it is. */
  moveTo(place: Point, zoom?: number): void;
  /** So near that all of these can be told apart, if that is possible at all. */
  moveToAll(places: readonly Point[]): void;
  close(): void;
}
