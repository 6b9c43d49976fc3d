import { type MapTheme, palettes } from '../palette.ts';
import { createTilePainter, type Tile } from './draw-tile.ts';
import { labelsOf } from './labels.ts';
import type { UkraineFile } from './source.ts';

export interface TileRequest {
  id: number;
  tile: Tile;
  theme: MapTheme;
}

let painter: Promise<ReturnType<typeof createTilePainter>> | null = null;

addEventListener('message', async ({ data }: MessageEvent<{ source: string } | TileRequest>) => {
  if ('source' in data) painter = open(data.source);
  else await paint(data).catch((error: unknown) => postMessage({ id: data.id, failure: String(error) }));
});

async function open(source: string): Promise<ReturnType<typeof createTilePainter>> {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`The embedded map: ${response.status}`);
  const file: UkraineFile = await response.json();
  postMessage({ labels: labelsOf(file) });
  return createTilePainter(file);
}

async function paint({ id, tile, theme }: TileRequest): Promise<void> {
  const canvas = new OffscreenCanvas(tile.sizePx, tile.sizePx);
  const context = canvas.getContext('2d', { alpha: false });
  const paintTile = await painter;
  if (!context || !paintTile) throw new Error('No canvas to draw on');
  paintTile(context, tile, palettes[theme]);
  const image = canvas.transferToImageBitmap();
  postMessage({ id, image }, { transfer: [image] });
}
