import type { Variant } from './atlas.ts';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type MapEncoding = (typeof encodings)[number];

/** A request to the map worker. With `since` null it asks for the whole map. */
export interface Ask {
  id: number;
  variant: Variant;
  encoding: MapEncoding;
  since: string | null;
}

/** `<database>-<number>`: the same on every node. */
export const mapVersion = /^[0-9a-f]{6}-\d{1,15}$/;

/** Bytes ready to be sent. */
export interface MapAnswer {
  /** The version to pass as `since` next time. */
  version: string;
  etag: string;
  /** Null when this is the whole map. */
  since: string | null;
  body: Uint8Array;
}

export type ToWorker =
  | ({ kind: 'ask' } & Ask)
  /** Some station changed; which one is in the outbox. */
  | { kind: 'changed' }
  /** Too much was missed, so everything must be read again. */
  | { kind: 'reload' };

export type FromWorker =
  | { kind: 'answer'; id: number; answer: MapAnswer }
  /** The map looks different from now on. */
  | { kind: 'redrawn' }
  /** The map looks the same, but is known to be complete up to a later version. */
  | { kind: 'advanced' }
  | { kind: 'trouble'; message: string };

export interface WorkerOptions {
  databaseUrl: string;
  isPooled: boolean;
  /** The minimal interval between two drawings. */
  redrawEveryMs: number;
}
