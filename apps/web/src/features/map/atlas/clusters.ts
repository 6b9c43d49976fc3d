import Supercluster, { type PointFeature } from 'supercluster';
import { worldX, worldY } from '../basemap/geometry.ts';
import { everyType, hasAny, type MapPlace } from './place.ts';

/** Degrees: west, south, east, north. */
export type Box = readonly [number, number, number, number];

/** Stations of a group by availability. */
export interface Shares {
  free: number;
  busy: number;
  off: number;
}

interface PlaceProperties extends Shares {
  place: MapPlace;
}

export type ClusterItem =
  | { kind: 'place'; place: MapPlace }
  | ({ kind: 'cluster'; id: number; level: number; lat: number; lon: number } & Shares);

/** From the specification: two markers closer than this are merged. */
const gridPx = 10;
/** Too many icons are unreadable; above this number on the screen the grid is widened. */
const mostIcons = 250;
/** An icon with the space around it, in square CSS px: a phone's screen has room for fewer than the most. */
const iconArea = 51 * 51;
/** 10, 20, 40, 80 px: each lower zoom level doubles the area of the same grid. */
const mostWidenings = 3;
const lowestLevel = 0;
const highestLevel = 16;

/** A level of the library with its wider variants, built from the places within a box. */
interface Level {
  box: Box;
  index: Supercluster<PlaceProperties, Shares>;
}

/**
 * Markers for any view. A level is built when a view first needs it, and only from places near that view, because all
 * levels of 50,000 places would take a third of a second and a change of filter discards them all.
 */
export function createClusters(places: readonly MapPlace[], mask = everyType) {
  const levels = new Map<number, Level>();

  function levelAt(level: number, around: Box) {
    const known = levels.get(level);
    if (known && isWithin(around, known.box)) return known.index;
    const box = widened(around);
    const index = new Supercluster<PlaceProperties, Shares>({
      radius: gridPx,
      extent: 512,
      minZoom: widest(level),
      maxZoom: level,
      map: ({ free, busy, off }) => ({ free, busy, off }),
      reduce: addShares,
    }).load(pointsOf(places, box, mask));
    levels.set(level, { box, index });
    return index;
  }

  return {
    /** The places within `around`, in groups coarse enough that the screen stays readable. */
    within(screen: Box, zoom: number, around: Box = screen): ClusterItem[] {
      const level = levelOf(zoom);
      const index = levelAt(level, around);
      let fitting = level;
      const most = Math.min(mostIcons, areaOf(screen, zoom) / iconArea);
      while (fitting > widest(level) && index.getClusters([...screen], fitting).length > most) fitting -= 1;
      return index.getClusters([...around], fitting).map((feature) => itemOf(feature, level));
    },

    /** The places of a group; empty when the map has changed since it was drawn. */
    members(level: number, id: number): MapPlace[] {
      try {
        const leaves = levels.get(level)?.index.getLeaves(id, Number.POSITIVE_INFINITY) ?? [];
        return leaves.map(({ properties }) => properties.place);
      } catch {
        return [];
      }
    },
  };
}

export type Clusters = ReturnType<typeof createClusters>;

/** The library's world is 512 px wide at level 0, the map's 256 at zoom 0. */
export function levelOf(zoom: number): number {
  return Math.min(highestLevel, Math.max(lowestLevel, Math.floor(zoom + 1e-6) - 1));
}

/** The area of the screen in square CSS px. */
function areaOf([west, south, east, north]: Box, zoom: number): number {
  const worldPx = 256 * 2 ** zoom;
  return (worldX(east) - worldX(west)) * (worldY(south) - worldY(north)) * worldPx ** 2;
}

function widest(level: number): number {
  return Math.max(lowestLevel, level - mostWidenings);
}

/** Half as much again on every side, so that panning does not leave it at once. */
function widened([west, south, east, north]: Box): Box {
  const x = (east - west) / 2;
  const y = (north - south) / 2;
  return [west - x, south - y, east + x, north + y];
}

function isWithin(inner: Box, outer: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
}

function addShares(sum: Shares, one: Shares): void {
  sum.free += one.free;
  sum.busy += one.busy;
  sum.off += one.off;
}

function pointsOf(places: readonly MapPlace[], [west, south, east, north]: Box, mask: number) {
  const points: PointFeature<PlaceProperties>[] = [];
  for (const place of places) {
    const { lat, lon } = place;
    if (lon < west || lon > east || lat < south || lat > north) continue;
    const { free, busy, off } = availabilityOf(place, mask);
    if (free + busy + off === 0) continue;
    points.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: { place, free, busy, off },
    });
  }
  return points;
}

export function availabilityOf({ stations }: MapPlace, mask: number): Shares {
  const shares = { free: 0, busy: 0, off: 0 };
  for (const station of stations) {
    if (!hasAny(station, mask)) continue;
    shares[(station.free & mask) !== 0 ? 'free' : (station.busy & mask) !== 0 ? 'busy' : 'off'] += 1;
  }
  return shares;
}

type Feature = ReturnType<Supercluster<PlaceProperties, Shares>['getClusters']>[number];

function itemOf({ properties, geometry }: Feature, level: number): ClusterItem {
  if (!('cluster' in properties)) return { kind: 'place', place: properties.place };
  const [lon = 0, lat = 0] = geometry.coordinates;
  const { cluster_id: id, free, busy, off } = properties;
  return { kind: 'cluster', id, level, lat, lon, free, busy, off };
}
