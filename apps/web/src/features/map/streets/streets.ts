import type { MapTheme } from '../palette.ts';
import type { TileNames } from './street-names.ts';
import type { TileOrigin } from './tile-source.ts';
import type { StreetAnswer, StreetMessage } from './worker.ts';

export interface StreetTile {
  image: ImageBitmap;
  names: TileNames;
  /** The vector tile that the names belong to; closer zooms show parts of one. */
  from: string;
  /** The provider has nothing here. */
  isEmpty: boolean;
}

export interface Streets {
  tile(at: { z: number; x: number; y: number }, look: StreetLook, signal: AbortSignal): Promise<StreetTile>;
  close(): void;
}

interface StreetLook {
  theme: MapTheme;
  sizePx: number;
  ratio: number;
}

/** A worker loads, decodes and draws a provider's vector tiles; the page only shows finished pictures. */
export function openStreets(origin: TileOrigin, onAttribution: (attribution: string) => void): Streets {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (tile: StreetTile) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const send = (message: StreetMessage) => worker.postMessage(message);

  worker.addEventListener('message', ({ data }: MessageEvent<StreetAnswer>) => {
    if ('attribution' in data) return onAttribution(data.attribution);
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) asked?.reject(new Error(data.failure));
    else asked?.resolve(data);
  });
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The worker of the street map failed'));
    waiting.clear();
  });
  send({ origin });

  return {
    tile({ z, x, y }, look, signal) {
      lastId += 1;
      const id = lastId;
      signal.addEventListener('abort', () => waiting.has(id) && send({ cancel: id }), { once: true });
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, z, x, y, ...look });
      });
    },
    close: () => worker.terminate(),
  };
}
