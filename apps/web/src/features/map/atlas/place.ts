import { type ConnectorStatus, type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import type { MapStation } from '@fpay/contract/stations';
import type { Point } from './distance.ts';
import { readChunk, type WireChunk } from './wire.ts';

/** A station as the map keeps it: which of its plugs are free, taken or dead, one bit per type. */
export interface AtlasStation extends MapStation {
  free: number;
  busy: number;
  off: number;
}

const types = Object.keys(connectorTypes) as ConnectorType[];
const bits = new Map<string, number>(types.map((type, index) => [type, 1 << index]));
export const everyType = (1 << types.length) - 1;

/** 0 for a plug that this page does not know. */
export function bitOf(type: string): number {
  return bits.get(type) ?? 0;
}

/** No type chosen is every type. */
export function maskOf(chosen: readonly ConnectorType[]): number {
  return chosen.reduce((mask, type) => mask | bitOf(type), 0) || everyType;
}

/** The map tells three things of a connector: somebody can charge, somebody does, nobody can. */
const group = {
  free: 'free',
  ready: 'busy',
  occupied: 'busy',
  charging: 'busy',
  oos: 'off',
  unknown: 'off',
} as const satisfies Record<ConnectorStatus, 'free' | 'busy' | 'off'>;

/** The stations under one marker. They are read when somebody first looks there: at most places nobody ever does. */
export class Place {
  readonly lat: number;
  readonly lon: number;
  /** Null once it was read, so that the text can go. */
  #wire: WireChunk | null;
  #stations: AtlasStation[] = [];

  constructor(wire: WireChunk) {
    this.lat = wire.lat;
    this.lon = wire.lon;
    this.#wire = wire;
  }

  get stations(): AtlasStation[] {
    if (this.#wire) {
      this.#stations = stationsIn(this.#wire);
      this.#wire = null;
    }
    return this.#stations;
  }
}

/** One that cannot be read is no reason to show none of the others. */
function stationsIn(wire: WireChunk): AtlasStation[] {
  try {
    return readChunk(wire)?.stations.map(atlasStation) ?? [];
  } catch {
    return [];
  }
}

/** Stable over refreshes: the place itself. */
export function keyOf({ lat, lon }: Point): string {
  return `${lat},${lon}`;
}

/** The answer's own object is kept and only added to. */
export function atlasStation(station: MapStation): AtlasStation {
  const kept = station as AtlasStation;
  kept.free = 0;
  kept.busy = 0;
  kept.off = 0;
  let unknown = 0;
  for (const { type, status } of station.connectors) {
    const bit = bitOf(type);
    if (bit === 0) unknown += 1;
    kept[station.is_online ? (group[status] ?? 'off') : 'off'] |= bit;
  }
  if (unknown > 0) kept.connectors = station.connectors.filter(({ type }) => bitOf(type) !== 0);
  return kept;
}

/** Whether a station has a plug of the chosen types. One without any plug is on the map of those who chose none. */
export function hasAny({ free, busy, off }: AtlasStation, mask: number): boolean {
  return mask === everyType || ((free | busy | off) & mask) !== 0;
}
