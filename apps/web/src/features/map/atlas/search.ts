import { distanceKm, type Point } from './distance.ts';
import type { CountedStation, MapPlace } from './place.ts';

/** From the specification. */
const mostResults = 10;

export interface FoundStation {
  place: MapPlace;
  station: CountedStation;
  km: number;
}

/** Online stations whose number or address contains the text; numbers that begin with it first, then the nearest. */
export function findStations(places: Iterable<MapPlace>, typed: string, near: Point): FoundStation[] {
  const query = typed.trim().toLowerCase();
  if (query === '') return [];
  const found: (FoundStation & { rank: number })[] = [];
  for (const place of places) {
    for (const station of place.stations) {
      if (!station.is_online) continue;
      const rank = rankOf(station, query);
      if (rank !== null) found.push({ place, station, rank, km: distanceKm(place, near) });
    }
  }
  return found.sort((a, b) => a.rank - b.rank || a.km - b.km).slice(0, mostResults);
}

function rankOf({ number, address, address_uk }: CountedStation, query: string): number | null {
  const at = number.toLowerCase().indexOf(query);
  if (at >= 0) return at === 0 ? 0 : 1;
  return address_uk.toLowerCase().includes(query) || address.toLowerCase().includes(query) ? 2 : null;
}
