import { availabilityOf, type ClusterItem, type Shares } from './clusters.ts';
import { lookOf, type MarkerLook, type MarkerPromotions } from './marker-look.ts';
import { keyOf, type MapPlace } from './place.ts';
import { type IconBox, type Offset, type SpreadItem, spreadOut } from './spread.ts';

/** What a group consists of: groups of the index, and single places. */
export type MarkerPart = { level: number; id: number } | { key: string };

/** An icon on the map, with its stations by availability. */
export type Marker = { key: string; lat: number; lon: number } & Offset &
  Shares &
  ({ kind: 'place'; look: MarkerLook } | { kind: 'cluster'; parts: MarkerPart[] });

/** The sizes at which icons are drawn, in CSS px; a pin stands on its place. */
const pin: IconBox = { halfWidth: 18.5, halfHeight: 21, centreY: -21 };
const ringSizes = [
  [1000, 44],
  [100, 40],
  [0, 36],
] as const;

/** The diameter of a group's icon. */
export function ringSize({ free, busy, off }: Shares): number {
  const total = free + busy + off;
  return ringSizes.find(([least]) => total >= least)?.[1] ?? 36;
}

interface MarkerSettings {
  zoom: number;
  mask: number;
  promotions: MarkerPromotions;
  /** The place whose sheet is open: it is never part of a group. */
  selected: MapPlace | null;
}

/** Merging stops after this many rounds; usually one or two are enough. */
const mostRounds = 6;

/** Markers that do not cover each other: pushed apart, and merged where there is no room. */
export function markersOf(items: readonly ClusterItem[], settings: MarkerSettings): Marker[] {
  const { selected, zoom } = settings;
  let markers = items.map((item) => markerOf(item, settings));
  const selectedKey = selected && keyOf(selected);
  if (selected && !markers.some(({ key }) => key === selectedKey)) {
    markers.push(markerOf({ kind: 'place', place: selected }, settings));
  }
  for (let round = 0; ; round++) {
    const { offsets, stuck } = spreadOut(
      markers.map((marker) => itemOf(marker, selectedKey)),
      zoom,
    );
    if (stuck.length === 0 || round === mostRounds)
      return markers.map((marker, index) => ({ ...marker, ...offsets[index] }));
    markers = merged(markers, stuck, selectedKey);
  }
}

function markerOf(item: ClusterItem, { mask, promotions }: MarkerSettings): Marker {
  const still = { dx: 0, dy: 0 };
  if (item.kind === 'cluster') {
    const { level, id, ...rest } = item;
    return { ...rest, ...still, key: `${level}/${id}`, parts: [{ level, id }] };
  }
  const { place } = item;
  const look = lookOf(place.stations, mask, promotions);
  return {
    kind: 'place',
    key: keyOf(place),
    lat: place.lat,
    lon: place.lon,
    look,
    ...still,
    ...availabilityOf(place, mask),
  };
}

function itemOf(marker: Marker, selectedKey: string | null): SpreadItem {
  const { lat, lon } = marker;
  const isFixed = marker.key === selectedKey;
  if (marker.kind === 'place') return { lat, lon, box: pin, isFixed };
  const half = ringSize(marker) / 2;
  return { lat, lon, box: { halfWidth: half, halfHeight: half, centreY: 0 }, isFixed };
}

/** Each marker is merged with at most one other, the nearest first, so that a crowd becomes several groups. */
function merged(markers: readonly Marker[], stuck: readonly [number, number][], selectedKey: string | null): Marker[] {
  const away = ([a, b]: readonly [number, number]) => {
    const [one, other] = [markers[a] as Marker, markers[b] as Marker];
    return Math.hypot(one.lat - other.lat, (one.lon - other.lon) * 0.66);
  };
  const done = new Set<number>();
  const groups: Marker[] = [];
  for (const [a, b] of [...stuck].sort((one, other) => away(one) - away(other))) {
    const [one, other] = [markers[a] as Marker, markers[b] as Marker];
    if (done.has(a) || done.has(b) || one.key === selectedKey || other.key === selectedKey) continue;
    done.add(a).add(b);
    groups.push(groupOf(one, other));
  }
  return [...markers.filter((_, index) => !done.has(index)), ...groups];
}

function groupOf(a: Marker, b: Marker): Marker {
  const weight = countOf(a) / (countOf(a) + countOf(b));
  return {
    kind: 'cluster',
    key: `${a.key}+${b.key}`,
    lat: a.lat * weight + b.lat * (1 - weight),
    lon: a.lon * weight + b.lon * (1 - weight),
    dx: 0,
    dy: 0,
    parts: [...partsOf(a), ...partsOf(b)],
    free: a.free + b.free,
    busy: a.busy + b.busy,
    off: a.off + b.off,
  };
}

const countOf = ({ free, busy, off }: Shares) => free + busy + off;

function partsOf(marker: Marker): MarkerPart[] {
  return marker.kind === 'cluster' ? marker.parts : [{ key: marker.key }];
}
