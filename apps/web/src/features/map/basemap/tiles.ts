import type { MapTheme } from '../palette.ts';
import type { Tile } from './draw-tile.ts';
import type { Label } from './label.ts';
import ukraine from './ukraine.geo.json?url';

export interface EmbeddedMap {
  tile(tile: Tile, theme: MapTheme): Promise<ImageBitmap>;
  labels: Promise<Label[]>;
  close(): void;
}

/** A worker fetches, clips and draws the embedded map; the page only shows finished tiles. */
export function openEmbeddedMap(): EmbeddedMap {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (image: ImageBitmap) => void; reject: (error: Error) => void }>();
  let resolveLabels: (labels: Label[]) => void = () => undefined;
  const labels = new Promise<Label[]>((resolve) => {
    resolveLabels = resolve;
  });
  let lastId = 0;

  worker.addEventListener('message', ({ data }) => {
    if ('labels' in data) return resolveLabels(data.labels);
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) asked?.reject(new Error(data.failure));
    else asked?.resolve(data.image);
  });
  worker.postMessage({ source: ukraine });

  return {
    tile(tile, theme) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, tile, theme });
      });
    },
    labels,
    close: () => worker.terminate(),
  };
}
