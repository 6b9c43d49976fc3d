import { type MapTheme, palettes } from '../palette.ts';
import { paintStreets, type TilePart, type VectorLayers } from './paint-streets.ts';
import { namesIn, type TileNames } from './street-names.ts';
import { drawnLayers, namedLayers } from './street-style.ts';
import { openTileSource, type TileOrigin, type TileSource } from './tile-source.ts';
import { readVectorTile } from './vector-tile.ts';

export interface StreetRequest {
  id: number;
  z: number;
  x: number;
  y: number;
  /** Device pixels. */
  sizePx: number;
  ratio: number;
  theme: MapTheme;
}

export type StreetMessage = { origin: TileOrigin } | { cancel: number } | StreetRequest;
export type StreetAnswer =
  | { attribution: string }
  | { id: number; failure: string }
  | { id: number; image: ImageBitmap; names: TileNames; from: string; isEmpty: boolean };

const wanted = new Set([...drawnLayers, ...namedLayers]);
/** Decoded tiles that are kept; one screen shows about twelve, and closer zooms use the same ones. */
const mostTiles = 24;
const noNames: TileNames = { places: [], lines: [] };

let origin: TileOrigin | null = null;
let source: Promise<TileSource> | null = null;
const decoded = new Map<string, Promise<VectorLayers | ImageBitmap | null>>();
const canceled = new Set<number>();

const send = (answer: StreetAnswer, transfer: Transferable[] = []) => postMessage(answer, { transfer });

addEventListener('message', ({ data }: MessageEvent<StreetMessage>) => {
  if ('origin' in data) origin = data.origin;
  else if ('cancel' in data) canceled.add(data.cancel);
  else {
    void answer(data)
      .catch((error: unknown) => send({ id: data.id, failure: String(error) }))
      .finally(() => canceled.delete(data.id));
  }
});

async function answer(request: StreetRequest): Promise<void> {
  const { id, z, x, y, sizePx, ratio, theme } = request;
  const { maxZoom } = await opened();
  // Closer than the provider's last zoom, a part of its tile is enlarged.
  const steps = Math.max(0, z - maxZoom);
  const scale = 2 ** steps;
  const tile = { z: z - steps, x: Math.floor(x / scale), y: Math.floor(y / scale) };
  const content = await layersOf(tile.z, tile.x, tile.y);
  // Other messages are read between two tiles, so that a tile the map no longer needs is not painted.
  await new Promise((resolve) => setTimeout(resolve));
  if (canceled.has(id)) return send({ id, failure: 'canceled' });
  const canvas = new OffscreenCanvas(sizePx, sizePx);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('No canvas to draw on');
  const part: TilePart = { scale, column: x % scale, row: y % scale, sizePx, ratio, zoom: z + 1 };
  const isPicture = content instanceof ImageBitmap;
  if (isPicture) {
    const width = content.width / scale;
    context.drawImage(content, part.column * width, part.row * width, width, width, 0, 0, sizePx, sizePx);
  } else paintStreets(context, content ?? new Map(), part, palettes[theme]);
  const names = isPicture || !content ? noNames : namesIn(content, tile);
  const image = canvas.transferToImageBitmap();
  send({ id, image, names, from: `${tile.z}/${tile.x}/${tile.y}`, isEmpty: content === null }, [image]);
}

/** Opened once; after a failure the next tile tries again. */
function opened(): Promise<TileSource> {
  if (!origin) throw new Error('No tile provider is set');
  source ??= openTileSource(origin).then(
    (made) => {
      if (made.attribution) send({ attribution: made.attribution });
      return made;
    },
    (error: unknown) => {
      source = null;
      throw error;
    },
  );
  return source;
}

function layersOf(z: number, x: number, y: number): Promise<VectorLayers | ImageBitmap | null> {
  const key = `${z}/${x}/${y}`;
  const known = decoded.get(key);
  if (known) {
    // The last used one is removed last.
    decoded.delete(key);
    decoded.set(key, known);
    return known;
  }
  const read = readTile(z, x, y);
  decoded.set(key, read);
  read.catch(() => decoded.delete(key));
  const oldest = decoded.keys().next().value;
  if (decoded.size > mostTiles && oldest !== undefined) decoded.delete(oldest);
  return read;
}

async function readTile(z: number, x: number, y: number): Promise<VectorLayers | ImageBitmap | null> {
  const { content, tile } = await opened();
  const bytes = await tile(z, x, y);
  if (!bytes) return null;
  return content === 'picture' ? createImageBitmap(new Blob([bytes])) : readVectorTile(bytes, wanted);
}
