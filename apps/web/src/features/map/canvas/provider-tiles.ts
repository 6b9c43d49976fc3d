import TileLayer from 'ol/layer/Tile.js';
import type OlMap from 'ol/Map.js';
import ImageTileSource from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import { expandUrl, pickUrl, renderXYZTemplate } from 'ol/uri.js';
import type { MapTheme } from '../palette.ts';
import type { TileNames } from '../streets/street-names.ts';
import { openStreets } from '../streets/streets.ts';
import type { MapProvider } from './station-map.ts';
import type { TileHealth } from './tile-health.ts';

interface TileParts {
  map: OlMap;
  ratio: number;
  theme: MapTheme;
  health: TileHealth;
  onNames: () => void;
  onAttribution: (attribution: string) => void;
}

export interface ProviderTiles {
  layer: TileLayer;
  setTheme(theme: MapTheme): void;
  /** Requests failed tiles again. */
  retry(): void;
  /** The names of the visible tiles. */
  names(): TileNames[];
  close(): void;
}

export function createTiles(provider: MapProvider, parts: TileParts): ProviderTiles {
  const { kind, url } = provider;
  if (!url) throw new Error('The map provider has no address');
  return kind === 'mvt' || kind === 'pmtiles'
    ? vectorTiles({ ...provider, kind, url }, parts)
    : pictures(provider, url, parts);
}

function pictures({ maxZoom, tileSize }: MapProvider, url: string, { health }: TileParts): ProviderTiles {
  const addresses = expandUrl(url);
  // A new source loads its tiles again; the library keeps those of a refreshed one.
  const source = () =>
    new ImageTileSource({
      loader: async (z, x, y, { signal }) => {
        const address = renderXYZTemplate(pickUrl(addresses, z, x, y), z, x, y, 2 ** z - 1);
        const { image } = await health.watch(pictureAt(address), signal);
        return image;
      },
      tileGrid: createXYZ({ tileSize, maxZoom }),
      tileSize,
      transition: 0,
      wrapX: false,
    });
  const layer = new TileLayer({ source: source(), zIndex: 1 });
  return {
    layer,
    setTheme: () => undefined,
    retry: () => layer.setSource(source()),
    names: () => [],
    close: () => undefined,
  };
}

const vectorTilePx = 512;
/** The map's closest zoom is 17, which shows tiles of 512 px at level 16. */
const closestLevel = 16;
/** Names of more tiles are forgotten; their tiles are loaded again before they are shown. */
const mostNamed = 300;

function vectorTiles(
  origin: MapProvider & { kind: 'mvt' | 'pmtiles'; url: string },
  { map, ratio, theme: first, health, onNames, onAttribution }: TileParts,
): ProviderTiles {
  let theme = first;
  const named = new Map<string, { from: string; names: TileNames }>();
  const streets = openStreets({ kind: origin.kind, url: origin.url, maxZoom: origin.maxZoom }, onAttribution);
  const sizePx = vectorTilePx * ratio;
  const tileGrid = createXYZ({ tileSize: vectorTilePx, maxZoom: closestLevel });
  const source = () =>
    new ImageTileSource({
      tileGrid,
      tileSize: sizePx,
      transition: 0,
      wrapX: false,
      loader: async (z, x, y, { signal }) => {
        const asked = streets.tile({ z, x, y }, { theme, sizePx, ratio }, signal);
        const { image, names, from } = await health.watch(asked, signal);
        if (named.size >= mostNamed) named.clear();
        named.set(`${z}/${x}/${y}`, { from, names });
        onNames();
        return image;
      },
    });
  const layer = new TileLayer({ source: source(), zIndex: 1 });
  const loadAgain = () => layer.setSource(source());
  return {
    layer,
    setTheme(next) {
      theme = next;
      loadAgain();
    },
    retry: loadAgain,
    names() {
      const view = map.getView();
      const level = tileGrid.getZForResolution(view.getResolution() ?? 1, 0);
      const visible = new Map<string, TileNames>();
      tileGrid.forEachTileCoord(view.calculateExtent(), level, ([z, x, y]) => {
        const tile = named.get(`${z}/${x}/${y}`);
        if (tile) visible.set(tile.from, tile.names);
      });
      return [...visible.values()];
    },
    close: () => streets.close(),
  };
}

/** Loaded without CORS, because many tile servers do not allow it and we only show the pictures. */
function pictureAt(address: string): Promise<{ image: HTMLImageElement }> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve({ image });
    image.onerror = () => reject(new Error(`${address} could not be loaded`));
    image.src = address;
  });
}
