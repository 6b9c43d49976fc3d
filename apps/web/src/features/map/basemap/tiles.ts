import type { Theme } from '../drawing/palette.ts';
import type { Tile } from './draw-tile.ts';
import type { Label } from './labels.ts';
import ukraine from './ukraine.geo.json?url';

export interface EmbeddedMap {
  tile(tile: Tile, theme: Theme): Promise<ImageBitmap>;
  labels: Promise<Label[]>;
  close(): void;
}

/** The embedded map is fetched, cut and drawn in a worker of its own: the page only lays finished tiles side by side. */
export function openEmbeddedMap(): EmbeddedMap {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (image: ImageBitmap) => void; reject: (error: Error) => void }>();
  let tellLabels: (labels: Label[]) => void = () => undefined;
  const labels = new Promise<Label[]>((resolve) => {
    tellLabels = resolve;
  });
  let lastId = 0;

  worker.addEventListener('message', ({ data }) => {
    if ('labels' in data) return tellLabels(data.labels);
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
