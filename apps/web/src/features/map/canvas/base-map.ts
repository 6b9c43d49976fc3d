import TileLayer from 'ol/layer/Tile.js';
import type OlMap from 'ol/Map.js';
import ImageTileSource from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import type { Label, LineLabel } from '../basemap/label.ts';
import { type EmbeddedMap, openEmbeddedMap } from '../basemap/tiles.ts';
import type { ProviderTiles } from './provider-tiles.ts';
import {
  attributionOf,
  type BaseMapState,
  embeddedAttribution,
  isEmbedded,
  type MapLook,
  type MapProvider,
} from './station-map.ts';
import { createTileHealth } from './tile-health.ts';

const embeddedTilePx = 512;
/** While tiles fail, they are requested again after this time, and as soon as the network is back. */
const retryMs = 15_000;
/** Names are placed once for all tiles that come shortly after each other. */
const namesPauseMs = 80;

interface Parts {
  map: OlMap;
  ratio: number;
  /** Called when another map is visible, or its labels are loaded. */
  onChange: () => void;
}

/**
 * The layer below the markers: a provider's tiles, or the embedded map when there is no provider or its tiles do not
 * come. The embedded map then stays below them, so that the two change places without a gap.
 */
export function createBaseMap({ map, ratio, onChange }: Parts) {
  let look: MapLook = { theme: 'light', language: 'uk' };
  let provider: MapProvider | null = null;
  let tiles: ProviderTiles | null = null;
  let embedded: { data: EmbeddedMap; layer: TileLayer } | null = null;
  let embeddedLabels: Label[] = [];
  let ownAttribution = '';
  let namesTimer: ReturnType<typeof setTimeout> | undefined;
  const health = createTileHealth(update);
  const retryTimer = setInterval(retry, retryMs);
  addEventListener('online', retry);

  const isEmbeddedSeen = () => provider === null || isEmbedded(provider) || !health.isFine();

  function update(): void {
    if (isEmbeddedSeen()) needEmbedded();
    // Hidden below complete tiles, because drawing it would cost as much as they do.
    embedded?.layer.setVisible(isEmbeddedSeen());
    onChange();
  }

  function needEmbedded(): void {
    if (embedded) return;
    const data = openEmbeddedMap();
    const layer = new TileLayer({ source: embeddedSource(data, look, ratio), zIndex: 0 });
    embedded = { data, layer };
    map.addLayer(layer);
    void data.labels.then((read) => {
      embeddedLabels = read;
      onChange();
    });
  }

  function retry(): void {
    if (!health.isFine() && navigator.onLine) tiles?.retry();
  }

  function placeNamesSoon(): void {
    clearTimeout(namesTimer);
    namesTimer = setTimeout(onChange, namesPauseMs);
  }

  function removeTiles(): void {
    if (!tiles) return;
    map.removeLayer(tiles.layer);
    tiles.close();
    tiles = null;
  }

  async function showTiles(wanted: MapProvider): Promise<void> {
    const { createTiles } = await import('./provider-tiles.ts');
    // Another provider may have been chosen meanwhile.
    if (provider !== wanted) return;
    tiles = createTiles(wanted, {
      map,
      ratio,
      theme: look.theme,
      health,
      onNames: placeNamesSoon,
      onAttribution(attribution) {
        ownAttribution = attribution;
        onChange();
      },
    });
    map.addLayer(tiles.layer);
  }

  return {
    use(wanted: MapProvider): void {
      provider = wanted;
      ownAttribution = '';
      removeTiles();
      health.reset();
      if (!isEmbedded(wanted)) showTiles(wanted).catch(() => health.fail());
      update();
    },

    setStyle(next: MapLook): void {
      const isRedrawn = next.theme !== look.theme;
      look = next;
      if (!isRedrawn) return;
      embedded?.layer.setSource(embeddedSource(embedded.data, look, ratio));
      tiles?.setTheme(look.theme);
    },

    /** The names of places on the visible map. */
    labels(): readonly Label[] {
      if (isEmbeddedSeen()) return embeddedLabels;
      const places = (tiles?.names() ?? []).flatMap((names) => names.places);
      return places.sort((a, b) => b.weight - a.weight);
    },
    /** The names along streets and rivers. */
    lines(): readonly LineLabel[] {
      if (isEmbeddedSeen()) return [];
      const lines = (tiles?.names() ?? []).flatMap((names) => names.lines);
      return lines.sort((a, b) => b.weight - a.weight);
    },
    state(): BaseMapState {
      if (!provider || isEmbeddedSeen()) {
        return { attribution: embeddedAttribution, hasLostStreets: provider !== null && !isEmbedded(provider) };
      }
      return { attribution: attributionOf(provider) || ownAttribution, hasLostStreets: false };
    },
    close(): void {
      clearInterval(retryTimer);
      clearTimeout(namesTimer);
      removeEventListener('online', retry);
      embedded?.data.close();
      tiles?.close();
    },
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
