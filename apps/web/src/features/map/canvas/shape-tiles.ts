import MVT from 'ol/format/MVT.js';
import type BaseLayer from 'ol/layer/Base.js';
import VectorTileLayer from 'ol/layer/VectorTile.js';
import VectorTileSource from 'ol/source/VectorTile.js';
import type Tile from 'ol/Tile.js';
import TileState from 'ol/TileState.js';
import type VectorTile from 'ol/VectorTile.js';
import { palettes } from '../drawing/palette.ts';
import { openArchive, type TileArchive } from './pmtiles.ts';
import { pictureTiles } from './provider-tiles.ts';
import { shapeStyle } from './shape-style.ts';
import type { MapLook, MapProvider } from './station-map.ts';

interface TileOptions {
  look: MapLook;
  onTile: (isFailure: boolean) => void;
}

/** Vector tiles from a tile server or from one archive. */
export async function createShapeTiles(provider: MapProvider, options: TileOptions): Promise<BaseLayer> {
  const { url, maxZoom, tileSize } = provider;
  if (!url) throw new Error('The map provider has no address');
  if (provider.kind === 'mvt') {
    return shapeLayer(new VectorTileSource({ format: new MVT(), url, maxZoom, wrapX: false }), options);
  }
  const archive = await openArchive(url);
  if (archive.content === 'picture') {
    return pictureTiles((z, x, y) => pictureFrom(archive, z, x, y), { maxZoom, tileSize }, options);
  }
  const source = new VectorTileSource({
    format: new MVT(),
    maxZoom,
    wrapX: false,
    // The address only distinguishes tiles; their content comes from the archive.
    url: `${url}#{z}/{x}/{y}`,
    tileLoadFunction: (tile) => loadFrom(archive, tile),
  });
  return shapeLayer(source, options);
}

function shapeLayer(source: VectorTileSource, { look, onTile }: TileOptions): BaseLayer {
  source.on('tileloadend', () => onTile(false));
  source.on('tileloaderror', () => onTile(true));
  return new VectorTileLayer({
    // Names are drawn last and must not cover the markers, so they have their own canvas.
    className: 'shapes',
    source,
    declutter: true,
    background: palettes[look.theme].land,
    style: shapeStyle(look),
    zIndex: 1,
  });
}

function loadFrom(archive: TileArchive, given: Tile): void {
  const tile = given as VectorTile<never>;
  tile.setLoader((extent, _resolution, projection) => {
    const [z = 0, x = 0, y = 0] = tile.getTileCoord();
    archive.tile(z, x, y).then(
      (bytes) => {
        const read = () => tile.getFormat().readFeatures(bytes, { extent, featureProjection: projection });
        tile.setFeatures((bytes ? read() : []) as never[]);
      },
      () => tile.setState(TileState.ERROR),
    );
  });
}

async function pictureFrom(archive: TileArchive, z: number, x: number, y: number): Promise<ImageBitmap> {
  const bytes = await archive.tile(z, x, y);
  if (!bytes) throw new Error('The archive has no such tile');
  return createImageBitmap(new Blob([bytes]));
}
