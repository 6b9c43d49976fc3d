import type { ConnectorType } from '@fpay/contract/connectors';
import type { Promotion } from '@fpay/contract/stations';
import type { Counts, MapStationRow, Screen, ShownPlace } from './atlas.ts';
import type { Point } from './distance.ts';
import type { Marker, MarkerPart } from './markers.ts';

/** The requests to the worker that holds the stations, each with its answer. */
export interface AtlasRequests {
  load: { input: { bytes: ArrayBuffer; isWhole: boolean }; answer: null };
  setFilter: { input: { types: readonly ConnectorType[] }; answer: null };
  counts: { input: object; answer: Counts };
  setPromotions: { input: { promotions: readonly Promotion[] }; answer: null };
  markers: { input: { screen: Screen; selected: string | null }; answer: Marker[] };
  place: { input: { key: string }; answer: ShownPlace | null };
  members: { input: { parts: readonly MarkerPart[] }; answer: ShownPlace[] };
  search: { input: { typed: string; near: Point }; answer: MapStationRow[] };
  /** Without `near`, distances are from the middle of the screen. */
  inView: { input: { screen: Screen; most: number; near?: Point }; answer: { total: number; rows: MapStationRow[] } };
}

export type AtlasRequestName = keyof AtlasRequests;
export type AtlasRequest = {
  [Name in AtlasRequestName]: { id: number; name: Name; input: AtlasRequests[Name]['input'] };
}[AtlasRequestName];
export type AtlasAnswer = { id: number; answer: unknown } | { id: number; failure: string };
