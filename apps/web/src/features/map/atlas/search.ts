import { distanceKm, type Point } from './distance.ts';
import type { CountedStation, MapPlace } from './place.ts';

/** From the specification. */
const mostResults = 10;

export interface FoundStation {
  place: MapPlace;
  station: CountedStation;
  km: number;
}

/**
 * Stations whose number or address contains the text: the one with exactly this number, then the nearest, and offline
 * ones last, because a driver who stands at one should learn that it is offline.
 */
export function findStations(places: Iterable<MapPlace>, typed: string, near: Point): FoundStation[] {
  const query = typed.trim().toLowerCase();
  if (query === '') return [];
  const found: (FoundStation & { rank: number })[] = [];
  for (const place of places) {
    for (const station of place.stations) {
      if (!matches(station, query)) continue;
      const rank = station.number.toLowerCase() === query ? 0 : station.is_online ? 1 : 2;
      found.push({ place, station, rank, km: distanceKm(place, near) });
    }
  }
  return found.sort((a, b) => a.rank - b.rank || a.km - b.km).slice(0, mostResults);
}

function matches({ number, address, address_uk }: CountedStation, query: string): boolean {
  return [number, address_uk, address].some((text) => text.toLowerCase().includes(query));
}
