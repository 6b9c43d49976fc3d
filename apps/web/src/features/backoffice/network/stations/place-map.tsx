import Move from 'lucide-react/icons/move';
import { useEffect, useRef } from 'react';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { openPlacePicker, type PlacePicker } from '../../../map/place/queries.ts';
import { useSettings } from '../../../settings/queries.ts';

interface PlaceMapProps {
  place: { lat: number; lon: number } | null;
  isLocked: boolean;
  onPlace: (place: { lat: number; lon: number }) => void;
}

/** A press on the map moves the station there. The fields beside it are for the keyboard. */
export function PlaceMap({ place, isLocked, onPlace }: PlaceMapProps) {
  const text = useText();
  const language = useLanguage();
  const { map: providers } = useSettings();
  const element = useRef<HTMLDivElement>(null);
  const opened = useRef<PlacePicker | null>(null);
  const given = useRef({ place, isLocked, onPlace });
  given.current = { place, isLocked, onPlace };

  useEffect(() => {
    const target = element.current;
    if (!target) return;
    let isGone = false;
    void openPlacePicker({
      element: target,
      base: providers.base,
      language,
      place: given.current.place,
      onPlace: (pressed) => {
        if (!given.current.isLocked) given.current.onPlace(pressed);
      },
    }).then((map) => {
      if (isGone) return map.close();
      opened.current = map;
      map.show(given.current.place);
    });
    return () => {
      isGone = true;
      opened.current?.close();
      opened.current = null;
    };
  }, [providers.base, language]);
  useEffect(() => opened.current?.show(place), [place]);

  return (
    <div className="relative h-64 overflow-hidden rounded-card bg-surface-2 lg:h-full lg:min-h-72">
      <div
        ref={element}
        role="application"
        aria-label={text('networkStations:placeMap')}
        className="absolute inset-0"
      />
      {!isLocked && (
        <p className="pointer-events-none absolute top-3 left-3 flex items-center gap-2 rounded-control bg-surface px-3 py-2 text-note shadow-float">
          <Move aria-hidden="true" size={18} />
          {text('networkStations:tapToPlace')}
        </p>
      )}
    </div>
  );
}
