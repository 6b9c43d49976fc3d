import { useCallback, useEffect, useState } from 'react';
import { text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/popups.ts';
import type { Point } from './atlas/distance.ts';
import { zoomRange } from './canvas/station-map.ts';
import type { MapController } from './map-controller.ts';
import { rememberedView } from './use-map.ts';

/** Beyond this the map has nothing to show, and its usual middle is a better start. */
const reach = { west: 13, south: 42, east: 44, north: 56 };
const patienceMs = 15_000;
/** Street by street: one asked where one is. */
const nearZoom = 13;

/**
 * Where the driver stands. A device that has already allowed it is asked at once and takes the place of the usual
 * middle; one that has not is asked only when the button is pressed, for a question out of the blue is mostly refused.
 */
export function useLocate(controller: MapController | null) {
  const [place, setPlace] = useState<Point | null>(null);
  const [isLocating, setLocating] = useState(false);
  // Asked before the map is there: it remembers where one looks as soon as it is.
  const [isFirstVisit] = useState(() => rememberedView() === null);
  const map = controller?.map;

  const find = useCallback(async () => {
    setLocating(true);
    try {
      const found = await position();
      setPlace(found);
      return found;
    } finally {
      setLocating(false);
    }
  }, []);

  useEffect(() => {
    if (!map || !isFirstVisit) return;
    void isAllowed()
      .then((allowed) => (allowed ? find() : null))
      .then((found) => found && isWithinReach(found) && map.moveTo(found, zoomRange.usual))
      .catch(() => undefined);
  }, [map, isFirstVisit, find]);

  return {
    place,
    isLocating,
    locate() {
      find().then(
        (found) => {
          if (isWithinReach(found)) map?.moveTo(found, nearZoom);
          else void notify(text('map:tooFar'));
        },
        (error: unknown) => {
          const isRefused = error instanceof GeolocationPositionError && error.code === error.PERMISSION_DENIED;
          void notify(text(isRefused ? 'map:locationRefused' : 'map:locationUnknown'));
        },
      );
    },
  };
}

function position(): Promise<Point> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new Error('This device does not know where it is'));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      reject,
      { timeout: patienceMs, maximumAge: 60_000 },
    );
  });
}

async function isAllowed(): Promise<boolean> {
  const status = await navigator.permissions?.query({ name: 'geolocation' });
  return status?.state === 'granted';
}

function isWithinReach({ lat, lon }: Point): boolean {
  return lat > reach.south && lat < reach.north && lon > reach.west && lon < reach.east;
}
