import type { Promotion } from '@fpay/contract/stations';
import { type CountedStation, hasAny } from './place.ts';

export const markerKinds = ['plain', 'hub', 'discount', 'sun', 'event'] as const;
export type MarkerKind = (typeof markerKinds)[number];
export type MarkerState = 'active' | 'half' | 'inactive';

export interface MarkerLook {
  kind: MarkerKind;
  state: MarkerState;
  /** A driver could charge here now. */
  isFree: boolean;
}

/** Stations with a promotion marker today; the key null means the whole network. */
export type MarkerPromotions = ReadonlyMap<string | null, MarkerKind>;

/** Codes without a picture are ignored. */
export function markerPromotions(promotions: readonly Promotion[]): MarkerPromotions {
  const kinds = new Map<string | null, MarkerKind>();
  for (const { kind, code, station_number } of promotions) {
    const known = markerKinds.find((marker) => marker === code);
    if (kind === 'marker' && known) kinds.set(station_number, known);
  }
  return kinds;
}

/** The look of a marker for the chosen connector types. */
export function lookOf(stations: readonly CountedStation[], mask: number, promotions: MarkerPromotions): MarkerLook {
  const asked = stations.filter((station) => hasAny(station, mask));
  const works = asked.some(({ free, busy }) => ((free | busy) & mask) !== 0);
  const fails = asked.some(({ is_online, off }) => !is_online || (off & mask) !== 0);
  const state = !works ? 'inactive' : fails ? 'half' : 'active';
  return { kind: kindOf(stations, state, promotions), state, isFree: asked.some(({ free }) => (free & mask) !== 0) };
}

/** A promotion of the station takes precedence over a hub, and a hub over a promotion of the whole network. */
function kindOf(stations: readonly CountedStation[], state: MarkerState, promotions: MarkerPromotions): MarkerKind {
  for (const { number } of stations) {
    const own = promotions.get(number);
    if (own) return own;
  }
  if (stations.length > 1) return 'hub';
  return (state !== 'inactive' && promotions.get(null)) || 'plain';
}
