import { type ConnectorType, everyConnectorType } from '@fpay/contract/connectors';
import type { Promotion } from '@fpay/contract/stations';
import { type Box, type Clusters, createClusters } from './clusters.ts';
import { distanceKm, type Point } from './distance.ts';
import { lookOf, type MarkerLook, type MarkerPromotions, markerPromotions } from './marker-look.ts';
import { type Marker, type MarkerPart, markersOf } from './markers.ts';
import { bitOf, type CountedStation, everyType, hasAny, keyOf, type MapPlace, maskOf } from './place.ts';
import { findStations } from './search.ts';

export interface Screen {
  box: Box;
  zoom: number;
}

/** A marker's stations with enough data to open its sheet at once. */
export interface ShownPlace extends Point {
  key: string;
  stations: CountedStation[];
}

/** One station in a list: a search result, or one in view. */
export interface MapStationRow {
  place: ShownPlace;
  station: CountedStation;
  look: MarkerLook;
  km: number;
}

/** The numbers that the filter shows. */
export interface Counts {
  stations: number;
  byType: Record<ConnectorType, number>;
}

/** The queried area extends beyond the screen on every side, so that panning shows loaded markers. */
const margin = 0.6;

/**
 * All stations of the network in memory, with the queries of the map. It runs in a worker, because neither 10 MB of
 * JSON nor the clustering of 50,000 markers may block touch input.
 */
export function createAtlas() {
  let places: readonly MapPlace[] = [];
  /** Built at the first lookup of one place, because the first markers must not wait for 50,000 keys. */
  let byKey: Map<string, MapPlace> | null = null;
  let mask = everyType;
  let promotions: MarkerPromotions = new Map();
  let clusters: Clusters | null = null;

  const grouped = () => {
    clusters ??= createClusters(places, mask);
    return clusters;
  };
  const indexed = () => {
    byKey ??= new Map(places.map((place) => [keyOf(place), place]));
    return byKey;
  };
  const rowOf = (place: MapPlace, station: CountedStation, km: number): MapStationRow => ({
    place: shown(place),
    station,
    look: lookOf([station], everyType, promotions),
    km,
  });

  return {
    /** `isWhole`: the list is the whole map; otherwise it contains changes. */
    load(came: readonly MapPlace[], isWhole: boolean): void {
      if (!isWhole && came.length === 0) return;
      clusters = null;
      if (isWhole) {
        places = came;
        byKey = null;
        return;
      }
      const known = indexed();
      for (const place of came) {
        if (place.stations.length === 0) known.delete(keyOf(place));
        else known.set(keyOf(place), place);
      }
      places = [...known.values()];
    },

    setFilter(types: readonly ConnectorType[]): void {
      if (maskOf(types) === mask) return;
      mask = maskOf(types);
      clusters = null;
    },

    setPromotions(running: readonly Promotion[]): void {
      promotions = markerPromotions(running);
    },

    counts(): Counts {
      const byType = Object.fromEntries(everyConnectorType.map((type) => [type, 0])) as Record<ConnectorType, number>;
      let stations = 0;
      for (const place of places) {
        for (const station of place.stations) {
          const own = station.free | station.busy | station.off;
          for (const type of everyConnectorType) if (own & bitOf(type)) byType[type] += 1;
          if (hasAny(station, mask)) stations += 1;
        }
      }
      return { stations, byType };
    },

    /** `selected` is the key of the place whose sheet is open; it always has its own marker. */
    markers({ box, zoom }: Screen, selected: string | null = null): Marker[] {
      const items = grouped().within(box, zoom, widened(box));
      const place = selected === null ? undefined : indexed().get(selected);
      return markersOf(items, { zoom, mask, promotions, selected: place ?? null });
    },

    place(key: string): ShownPlace | null {
      const place = indexed().get(key);
      return place ? shown(place) : null;
    },
    members(parts: readonly MarkerPart[]): ShownPlace[] {
      const places = parts.flatMap((part) =>
        'key' in part ? (indexed().get(part.key) ?? []) : grouped().members(part.level, part.id),
      );
      return places.map(shown);
    },

    search(typed: string, near: Point): MapStationRow[] {
      return findStations(places, typed, near).map(({ place, station, km }) => rowOf(place, station, km));
    },

    /** The stations on the screen, the nearest to its centre first, for users who cannot see or press the map. */
    inView({ box }: Screen, most: number, near?: Point): { total: number; rows: MapStationRow[] } {
      const [west, south, east, north] = box;
      const from = near ?? { lat: (south + north) / 2, lon: (west + east) / 2 };
      const seen: { place: MapPlace; stations: CountedStation[]; km: number }[] = [];
      let total = 0;
      for (const place of places) {
        if (place.lon < west || place.lon > east || place.lat < south || place.lat > north) continue;
        const stations = place.stations.filter((station) => hasAny(station, mask));
        if (stations.length === 0) continue;
        total += stations.length;
        if (most > 0) seen.push({ place, stations, km: distanceKm(place, from) });
      }
      const rows = seen
        .sort((a, b) => a.km - b.km)
        .slice(0, most)
        .flatMap(({ place, stations, km }) => stations.map((station) => rowOf(place, station, km)));
      return { total, rows: rows.slice(0, most) };
    },
  };
}

export type Atlas = ReturnType<typeof createAtlas>;

function shown(place: MapPlace): ShownPlace {
  return { key: keyOf(place), lat: place.lat, lon: place.lon, stations: place.stations };
}

function widened([west, south, east, north]: Box): Box {
  const x = (east - west) * margin;
  const y = (north - south) * margin;
  return [west - x, south - y, east + x, north + y];
}
