import type { ConnectorType } from '@fpay/contract/connectors';
import type { Promotion } from '@fpay/contract/stations';
import type { Counts, Marker, Screen, ShownPlace, StationRow } from './atlas.ts';
import type { Point } from './distance.ts';

/** What the page may ask of the worker that keeps the stations: each question with its answer. */
export interface Questions {
  take: { ask: { bytes: ArrayBuffer; isWhole: boolean }; answer: null };
  choose: { ask: { types: readonly ConnectorType[] }; answer: null };
  counts: { ask: object; answer: Counts };
  promote: { ask: { promotions: readonly Promotion[] }; answer: null };
  markers: { ask: { screen: Screen }; answer: Marker[] };
  place: { ask: { key: string }; answer: ShownPlace | null };
  members: { ask: { level: number; id: number }; answer: ShownPlace[] };
  search: { ask: { typed: string; near: Point }; answer: StationRow[] };
  inView: { ask: { screen: Screen; most: number }; answer: { total: number; rows: StationRow[] } };
}

export type QuestionName = keyof Questions;
export type Question = {
  [Name in QuestionName]: { id: number; name: Name; ask: Questions[Name]['ask'] };
}[QuestionName];
export type Answer = { id: number; answer: unknown } | { id: number; failure: string };
