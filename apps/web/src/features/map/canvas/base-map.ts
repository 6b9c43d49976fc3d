import type BaseLayer from 'ol/layer/Base.js';
import TileLayer from 'ol/layer/Tile.js';
import type OlMap from 'ol/Map.js';
import ImageTileSource from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import type { Label } from '../basemap/labels.ts';
import { type EmbeddedMap, openEmbeddedMap } from '../basemap/tiles.ts';
import { attributionOf, embeddedAttribution, isEmbedded, type MapLook, type MapProvider } from './station-map.ts';

const embeddedTilePx = 512;
/** After this many failed tiles in a row, the provider or the network is considered down. */
const mostFailures = 3;

interface Parts {
  map: OlMap;
  ratio: number;
  /** Called when another map is visible, or its labels are loaded. */
  onChange: () => void;
}

/**
 * The layer below the markers: a provider's tiles, or the embedded map when there is no provider or its tiles fail.
 * Once needed, the embedded map stays below, so that there are no white gaps.
 */
export function createBaseMap({ map, ratio, onChange }: Parts) {
  let look: MapLook = { theme: 'light', language: 'uk' };
  let provider: MapProvider | null = null;
  let tiles: BaseLayer | null = null;
  let failures = 0;
  let embedded: { data: EmbeddedMap; layer: TileLayer } | null = null;
  let labels: Label[] = [];

  const isEmbeddedSeen = () => provider === null || isEmbedded(provider) || failures >= mostFailures;

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

  async function showTiles(wanted: MapProvider): Promise<void> {
    const { createTiles } = await import('./provider-tiles.ts');
    const layer = await createTiles(wanted, { look, onTile: count });
    // Another provider may have been chosen meanwhile.
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
        showTiles(wanted).catch(() => {
          failures = mostFailures;
          needEmbedded();
          onChange();
        });
      onChange();
    },

    setStyle(next: MapLook): void {
      const isRedrawn = next.theme !== look.theme || (next.language !== look.language && provider?.kind !== 'xyz');
      look = next;
      embedded?.layer.setSource(embeddedSource(embedded.data, look, ratio));
      if (isRedrawn && provider && tiles) this.use(provider);
    },

    /** Labels of the embedded map; a provider's tiles have their own. */
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
