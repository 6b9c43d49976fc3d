import type BaseLayer from 'ol/layer/Base.js';
import TileLayer from 'ol/layer/Tile.js';
import ImageTileSource from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import { expandUrl, pickUrl, renderXYZTemplate } from 'ol/uri.js';
import type { MapLook, MapProvider } from './station-map.ts';

interface TileOptions {
  look: MapLook;
  onTile: (isFailure: boolean) => void;
}

/** A layer with a provider's tiles. Vector tiles need more code, which is loaded only for them. */
export async function createTiles(provider: MapProvider, options: TileOptions): Promise<BaseLayer> {
  if (provider.kind === 'mvt' || provider.kind === 'pmtiles') {
    const { createShapeTiles } = await import('./shape-tiles.ts');
    return createShapeTiles(provider, options);
  }
  const addresses = expandUrl(provider.url ?? '');
  const load: Load = (z, x, y) => pictureAt(renderXYZTemplate(pickUrl(addresses, z, x, y), z, x, y, 2 ** z - 1));
  return pictureTiles(load, provider, options);
}

type Load = (z: number, x: number, y: number) => Promise<HTMLImageElement | ImageBitmap>;

export function pictureTiles(
  load: Load,
  { maxZoom, tileSize }: Pick<MapProvider, 'maxZoom' | 'tileSize'>,
  { onTile }: TileOptions,
): BaseLayer {
  const source = new ImageTileSource({
    loader: load,
    tileGrid: createXYZ({ tileSize, maxZoom }),
    tileSize,
    transition: 0,
    wrapX: false,
  });
  source.on('tileloadend', () => onTile(false));
  source.on('tileloaderror', () => onTile(true));
  return new TileLayer({ source, zIndex: 1 });
}

/** Loaded without CORS, because many tile servers do not allow it and we only show the pictures. */
function pictureAt(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => reject(new Error(`${address} could not be loaded`));
    picture.src = address;
  });
}
