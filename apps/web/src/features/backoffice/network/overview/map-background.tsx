import { useEffect, useRef } from 'react';
import { useLanguage } from '../../../../i18n/use-text.ts';
import { type AreaMap, openAreaMap } from '../../../map/place/queries.ts';
import { useSettings } from '../../../settings/queries.ts';
import type { MapBox, ProblemPlace } from './map-places.ts';

interface MapBackgroundProps {
  /** What must be visible at first. */
  places: readonly ProblemPlace[];
  onMove: (box: MapBox) => void;
}

/**
 * Streets where tiles come, and the embedded map of Ukraine where they do not. Without any map, as in a browser that
 * cannot draw it, the problems are shown at the same places on an empty ground.
 */
export function MapBackground({ places, onMove }: MapBackgroundProps) {
  const language = useLanguage();
  const { map: providers } = useSettings();
  const element = useRef<HTMLDivElement>(null);
  const given = useRef({ places, onMove });
  given.current = { places, onMove };

  useEffect(() => {
    const target = element.current;
    if (!target) return;
    let isGone = false;
    let opened: AreaMap | null = null;
    openAreaMap({
      element: target,
      base: providers.base,
      language,
      onMove: (box) => given.current.onMove(box),
    }).then(
      (map) => {
        if (isGone) return map.close();
        opened = map;
        map.showAll(given.current.places);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      opened?.close();
    };
  }, [providers.base, language]);

  return <div ref={element} aria-hidden="true" className="absolute inset-0" />;
}
