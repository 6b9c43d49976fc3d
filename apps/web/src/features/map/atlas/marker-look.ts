import type { Promotion } from '@fpay/contract/stations';
import { type AtlasStation, hasAny } from './place.ts';

export const markerKinds = ['plain', 'hub', 'discount', 'sun', 'event'] as const;
export type MarkerKind = (typeof markerKinds)[number];
export type MarkerState = 'active' | 'half' | 'inactive';

export interface MarkerLook {
  kind: MarkerKind;
  state: MarkerState;
  /** Somebody could charge here now. */
  isFree: boolean;
}

/** Which stations wear a marker of their own today; null is the whole network. */
export type MarkerPromotions = ReadonlyMap<string | null, MarkerKind>;

/** Codes this page has no picture for are passed over. */
export function markerPromotions(promotions: readonly Promotion[]): MarkerPromotions {
  const kinds = new Map<string | null, MarkerKind>();
  for (const { kind, code, station_number } of promotions) {
    const known = markerKinds.find((marker) => marker === code);
    if (kind === 'marker' && known) kinds.set(station_number, known);
  }
  return kinds;
}

/** What a marker tells at a glance, of the plugs that were asked for. */
export function lookOf(stations: readonly AtlasStation[], mask: number, promotions: MarkerPromotions): MarkerLook {
  const asked = stations.filter((station) => hasAny(station, mask));
  const works = asked.some(({ free, busy }) => ((free | busy) & mask) !== 0);
  const fails = asked.some(({ is_online, off }) => !is_online || (off & mask) !== 0);
  const state = !works ? 'inactive' : fails ? 'half' : 'active';
  return { kind: kindOf(stations, state, promotions), state, isFree: asked.some(({ free }) => (free & mask) !== 0) };
}

/** A promotion of the station itself says more than how many stand there, and that more than one of the whole network. */
function kindOf(stations: readonly AtlasStation[], state: MarkerState, promotions: MarkerPromotions): MarkerKind {
  for (const { number } of stations) {
    const own = promotions.get(number);
    if (own) return own;
  }
  if (stations.length > 1) return 'hub';
  return (state !== 'inactive' && promotions.get(null)) || 'plain';
}
