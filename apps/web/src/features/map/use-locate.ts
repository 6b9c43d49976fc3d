import { useCallback, useEffect, useState } from 'react';
import { text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/overlay/popups.ts';
import type { Point } from './atlas/distance.ts';
import { zoomRange } from './canvas/station-map.ts';
import type { MapController } from './map-controller.ts';
import { rememberedView } from './use-map.ts';

/** Outside of this area there are no stations, so the default centre is better. */
const reach = { west: 13, south: 42, east: 44, north: 56 };
const positionTimeoutMs = 15_000;
/** Street level, because the user asked for the position. */
const nearZoom = 13;

/**
 * The driver's position. A device that has already given permission is asked at once, and its position replaces the
 * default centre. Any other device is asked only when the button is pressed, because an unexpected permission prompt is
 * mostly denied.
 */
export function useLocate(controller: MapController | null) {
  const [place, setPlace] = useState<Point | null>(null);
  const [isLocating, setLocating] = useState(false);
  // Read before the map is created, because the map stores its view as soon as it exists.
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
    if (!('geolocation' in navigator)) return reject(new Error('This device has no geolocation'));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      reject,
      { timeout: positionTimeoutMs, maximumAge: 60_000 },
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
