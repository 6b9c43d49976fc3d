import type { Variant } from './atlas.ts';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** What the program asks of its map worker. `since` null: the whole map. */
export interface Ask {
  id: number;
  variant: Variant;
  encoding: Encoding;
  since: string | null;
}

/** `<database>-<number>`: the same on every node. */
export const mapVersion = /^[0-9a-f]{6}-\d{1,15}$/;

/** Bytes ready to be sent. */
export interface MapAnswer {
  /** Continues from here as `since`. */
  version: string;
  etag: string;
  /** Null: this is the whole map. */
  since: string | null;
  body: Uint8Array;
}

export type ToWorker =
  | ({ kind: 'ask' } & Ask)
  /** Some station changed; which one is in the outbox. */
  | { kind: 'changed' }
  /** So much was missed that only a new look at everything helps. */
  | { kind: 'reload' };

export type FromWorker =
  | { kind: 'answer'; id: number; answer: MapAnswer }
  /** The map looks different from now on. */
  | { kind: 'redrawn' }
  /** It looks the same, but is known to be complete up to a later version. */
  | { kind: 'advanced' }
  | { kind: 'trouble'; message: string };

export interface WorkerOptions {
  databaseUrl: string;
  /** At most one new drawing in so long. */
  redrawEveryMs: number;
}
