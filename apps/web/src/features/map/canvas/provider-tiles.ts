import type BaseLayer from 'ol/layer/Base.js';
import TileLayer from 'ol/layer/Tile.js';
import ImageTileSource from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import { expandUrl, pickUrl, renderXYZTemplate } from 'ol/uri.js';
import type { MapLook, MapProvider } from './station-map.ts';

interface Wishes {
  look: MapLook;
  onTile: (isFailure: boolean) => void;
}

/** A layer with a provider's tiles. The kinds with shapes instead of pictures bring more code, and only then. */
export async function createTiles(provider: MapProvider, wishes: Wishes): Promise<BaseLayer> {
  if (provider.kind === 'mvt' || provider.kind === 'pmtiles') {
    const { createShapeTiles } = await import('./shape-tiles.ts');
    return createShapeTiles(provider, wishes);
  }
  const addresses = expandUrl(provider.url ?? '');
  const load: Load = (z, x, y) => pictureAt(renderXYZTemplate(pickUrl(addresses, z, x, y), z, x, y, 2 ** z - 1));
  return pictureTiles(load, provider, wishes);
}

type Load = (z: number, x: number, y: number) => Promise<HTMLImageElement | ImageBitmap>;

export function pictureTiles(
  load: Load,
  { maxZoom, tileSize }: Pick<MapProvider, 'maxZoom' | 'tileSize'>,
  { onTile }: Wishes,
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

/** Without asking for permission to read the pixels: many servers of tiles do not give it, and we only show them. */
function pictureAt(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => reject(new Error(`${address} did not come`));
    picture.src = address;
  });
}
