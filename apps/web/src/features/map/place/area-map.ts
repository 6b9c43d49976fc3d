import type { Language } from '@fpay/contract/person';
import type { Box } from '../atlas/clusters.ts';
import type { Point } from '../atlas/distance.ts';
import { createStationMap } from '../canvas/open-layers.ts';
import { dnipro, type MapProvider, zoomRange } from '../canvas/station-map.ts';
import { shownTheme } from '../shown-theme.ts';

/** A map without markers, over which a page places its own elements. */
export interface AreaMap {
  showAll(places: readonly Point[]): void;
  close(): void;
}

export interface AreaMapOptions {
  element: HTMLElement;
  base: MapProvider;
  language: Language;
  /** West, south, east and north of what is visible, in degrees. */
  onMove: (box: Box) => void;
}

export function createAreaMap({ element, base, language, onMove }: AreaMapOptions): AreaMap {
  const map = createStationMap({
    element,
    view: { ...dnipro, zoom: zoomRange.lowest },
    base,
    look: { theme: shownTheme(), language },
    listener: {
      onMove: ({ screen }) => onMove(screen.box),
      onPress() {},
      onTowns() {},
      onBase() {},
    },
  });
  return {
    showAll: (places) => {
      if (places.length > 0) map.moveToAll(places);
    },
    close: () => map.close(),
  };
}
