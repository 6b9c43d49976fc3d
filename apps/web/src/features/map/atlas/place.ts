import { type ConnectorStatus, type ConnectorType, everyConnectorType } from '@fpay/contract/connectors';
import type { MapStation } from '@fpay/contract/stations';
import type { Point } from './distance.ts';
import { readChunk, type WireChunk } from './wire.ts';

/** A station on the map; free, busy and offline connectors have one bit per type. */
export interface CountedStation extends MapStation {
  free: number;
  busy: number;
  off: number;
}

const bits = new Map<string, number>(everyConnectorType.map((type, index) => [type, 1 << index]));
export const everyType = (1 << everyConnectorType.length) - 1;

/** 0 for an unknown connector type. */
export function bitOf(type: string): number {
  return bits.get(type) ?? 0;
}

/** No chosen type means every type. */
export function maskOf(chosen: readonly ConnectorType[]): number {
  return chosen.reduce((mask, type) => mask | bitOf(type), 0) || everyType;
}

/** The map distinguishes three states of a connector: free, busy and out of service. */
const group = {
  free: 'free',
  ready: 'busy',
  occupied: 'busy',
  charging: 'busy',
  oos: 'off',
  unknown: 'off',
} as const satisfies Record<ConnectorStatus, 'free' | 'busy' | 'off'>;

/** The stations of one marker. They are parsed at the first access, because most places are never opened. */
export class MapPlace {
  readonly lat: number;
  readonly lon: number;
  /** Null after parsing, so that the text can be freed. */
  #wire: WireChunk | null;
  #stations: CountedStation[] = [];

  constructor(wire: WireChunk) {
    this.lat = wire.lat;
    this.lon = wire.lon;
    this.#wire = wire;
  }

  get stations(): CountedStation[] {
    if (this.#wire) {
      this.#stations = stationsIn(this.#wire);
      this.#wire = null;
    }
    return this.#stations;
  }
}

/** An invalid station must not hide the others. */
function stationsIn(wire: WireChunk): CountedStation[] {
  try {
    return readChunk(wire)?.stations.map(atlasStation) ?? [];
  } catch {
    return [];
  }
}

/** The key is the position, so it is stable over refreshes. */
export function keyOf({ lat, lon }: Point): string {
  return `${lat},${lon}`;
}

/** The parsed object is reused and extended, to save memory. */
export function atlasStation(station: MapStation): CountedStation {
  const counted = station as CountedStation;
  counted.free = 0;
  counted.busy = 0;
  counted.off = 0;
  let unknown = 0;
  for (const { type, status } of station.connectors) {
    const bit = bitOf(type);
    if (bit === 0) unknown += 1;
    counted[station.is_online ? (group[status] ?? 'off') : 'off'] |= bit;
  }
  if (unknown > 0) counted.connectors = station.connectors.filter(({ type }) => bitOf(type) !== 0);
  return counted;
}

/**
 * True when a station has a connector of the chosen types. A station without connectors is shown only without a filter.
 */
export function hasAny({ free, busy, off }: CountedStation, mask: number): boolean {
  return mask === everyType || ((free | busy | off) & mask) !== 0;
}
