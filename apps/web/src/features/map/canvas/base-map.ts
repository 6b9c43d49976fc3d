import type BaseLayer from 'ol/layer/Base.js';
import TileLayer from 'ol/layer/Tile.js';
import type OlMap from 'ol/Map.js';
import ImageTileSource from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import type { Label } from '../basemap/labels.ts';
import { type EmbeddedMap, openEmbeddedMap } from '../basemap/tiles.ts';
import { attributionOf, embeddedAttribution, isEmbedded, type MapLook, type MapProvider } from './station-map.ts';

const embeddedTilePx = 512;
/** So many tiles in a row that did not come: the provider is away, or the network is. */
const patience = 3;

interface Parts {
  map: OlMap;
  ratio: number;
  /** Another map is seen, or its names have come. */
  onChange: () => void;
}

/**
 * What lies under the markers: a provider's tiles, and the embedded map where there is no provider or its tiles fail.
 * The embedded one stays below for good once it was needed, so that no hole is ever white.
 */
export function createBaseMap({ map, ratio, onChange }: Parts) {
  let look: MapLook = { theme: 'light', language: 'uk' };
  let provider: MapProvider | null = null;
  let tiles: BaseLayer | null = null;
  let failures = 0;
  let embedded: { data: EmbeddedMap; layer: TileLayer } | null = null;
  let labels: Label[] = [];

  const isEmbeddedSeen = () => provider === null || isEmbedded(provider) || failures >= patience;

  function needEmbedded(): void {
    if (embedded) return;
    const data = openEmbeddedMap();
    const layer = new TileLayer({ source: embeddedSource(data, look, ratio), zIndex: 0 });
    embedded = { data, layer };
    map.addLayer(layer);
    void data.labels.then((read) => {
      labels = read;
      onChange();
    });
  }

  function count(isFailure: boolean): void {
    const before = isEmbeddedSeen();
    failures = isFailure ? failures + 1 : 0;
    if (isEmbeddedSeen()) needEmbedded();
    if (before !== isEmbeddedSeen()) onChange();
  }

  async function layTiles(wanted: MapProvider): Promise<void> {
    const { createTiles } = await import('./provider-tiles.ts');
    const layer = await createTiles(wanted, { look, onTile: count });
    // Another may have been chosen meanwhile.
    if (provider !== wanted) return;
    if (tiles) map.removeLayer(tiles);
    tiles = layer;
    map.addLayer(layer);
  }

  return {
    use(wanted: MapProvider): void {
      provider = wanted;
      failures = 0;
      if (tiles) map.removeLayer(tiles);
      tiles = null;
      if (isEmbedded(wanted)) needEmbedded();
      else
        layTiles(wanted).catch(() => {
          failures = patience;
          needEmbedded();
          onChange();
        });
      onChange();
    },

    dress(next: MapLook): void {
      const isRedrawn = next.theme !== look.theme || (next.language !== look.language && provider?.kind !== 'xyz');
      look = next;
      embedded?.layer.setSource(embeddedSource(embedded.data, look, ratio));
      if (isRedrawn && provider && tiles) this.use(provider);
    },

    /** Names of the embedded map; a provider's tiles bring their own. */
    labels: (): readonly Label[] => (isEmbeddedSeen() ? labels : []),
    attribution: (): string => (provider && !isEmbeddedSeen() ? attributionOf(provider) : embeddedAttribution),
    close: () => embedded?.data.close(),
  };
}

function embeddedSource(data: EmbeddedMap, { theme }: MapLook, ratio: number): ImageTileSource {
  const sizePx = embeddedTilePx * ratio;
  return new ImageTileSource({
    tileGrid: createXYZ({ tileSize: embeddedTilePx, maxZoom: 16 }),
    tileSize: sizePx,
    transition: 0,
    wrapX: false,
    loader: (z, x, y) => data.tile({ z, x, y, sizePx, ratio }, theme),
  });
}
