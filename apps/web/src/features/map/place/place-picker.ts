import type { Language } from '@fpay/contract/person';
import type { Point } from '../atlas/distance.ts';
import { createStationMap } from '../canvas/open-layers.ts';
import { dnipro, type MapProvider } from '../canvas/station-map.ts';
import { shownTheme } from '../shown-theme.ts';

/** A map with one marker that a press moves. */
export interface PlacePicker {
  show(place: Point | null): void;
  close(): void;
}

export interface PlacePickerOptions {
  element: HTMLElement;
  base: MapProvider;
  language: Language;
  place: Point | null;
  onPlace: (place: Point) => void;
}

const streetZoom = 15;
/** One station without neighbours, so its marker is not moved aside. */
const alone = { dx: 0, dy: 0, free: 1, busy: 0, off: 0 } as const;
const look = { kind: 'plain', state: 'active', isFree: true } as const;

/** 5 decimals are about a metre, which is as exact as a finger can be. */
const rounded = (degrees: number) => Math.round(degrees * 100_000) / 100_000;

export function createPlacePicker({ element, base, language, place, onPlace }: PlacePickerOptions): PlacePicker {
  const map = createStationMap({
    element,
    view: { ...(place ?? dnipro), zoom: streetZoom },
    base,
    look: { theme: shownTheme(), language },
    listener: {
      onMove() {},
      onPress() {},
      onTowns() {},
      onBase() {},
      onPlace: ({ lat, lon }) => onPlace({ lat: rounded(lat), lon: rounded(lon) }),
    },
  });
  return {
    show(next) {
      map.show(next ? [{ kind: 'place', key: 'here', ...next, ...alone, look }] : []);
      if (next) map.moveTo(next);
    },
    close: () => map.close(),
  };
}
