import type { Settings } from '@fpay/contract/settings';

type MapSettings = Settings['map'];
type MapProvider = MapSettings['base'];

/** The variables of the environment that choose the maps. */
interface MapVariables {
  MAP_TILES_KIND?: MapProvider['kind'] | undefined;
  MAP_TILES_URL?: string | undefined;
  MAP_TILES_ATTRIBUTION: string;
  SATELLITE_TILES_URL?: string | undefined;
  SATELLITE_TILES_ATTRIBUTION: string;
}

const offline: MapProvider = { kind: 'offline', url: null, attribution: '', maxZoom: 17, tileSize: 256 };

/** The public vector tiles of OpenFreeMap, which need no key. Its terms require the attribution. */
export const openFreeMap: MapProvider = {
  kind: 'mvt',
  url: 'https://tiles.openfreemap.org/planet',
  attribution: '© OpenFreeMap · OpenMapTiles · OpenStreetMap',
  maxZoom: 14,
  tileSize: 512,
};

/** Vector tiles end at this zoom; closer views enlarge them. */
const vectorMaxZoom = 14;

/** The base map is OpenFreeMap unless another provider, or `offline`, is set. A URL without a kind has pictures. */
export function mapSettings(variables: MapVariables): MapSettings {
  const { SATELLITE_TILES_URL: satelliteUrl, SATELLITE_TILES_ATTRIBUTION: attribution } = variables;
  return {
    base: baseOf(variables),
    satellite: satelliteUrl ? { ...offline, kind: 'xyz', url: satelliteUrl, attribution } : null,
  };
}

function baseOf({ MAP_TILES_KIND: kind, MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: attribution }: MapVariables) {
  if (kind === 'offline') return offline;
  if (!url) return openFreeMap;
  const isVector = kind === 'mvt' || kind === 'pmtiles';
  const size = isVector ? { maxZoom: vectorMaxZoom, tileSize: 512 } : { maxZoom: 17, tileSize: 256 };
  return { ...offline, ...size, kind: kind ?? 'xyz', url, attribution };
}

/** The hosts that the page may load tiles from: pictures as images, everything else by fetch. */
export function tileHosts({ base, satellite }: MapSettings): { images: string[]; calls: string[] } {
  const providers = [base, ...(satellite ? [satellite] : [])];
  const hostsOf = (isPicture: boolean) =>
    providers.flatMap(({ kind, url }) => (url && (kind === 'xyz') === isPicture ? [originOf(url)] : []));
  return { images: hostsOf(true), calls: hostsOf(false) };
}

/** `https://{a-c}.tiles.example/{z}/{x}/{y}.png` has the origin `https://*.tiles.example`. */
function originOf(url: string): string {
  return url.replace(/^(https?:\/\/)\{[^}]+\}\./, '$1*.').replace(/^(https?:\/\/[^/]+).*$/, '$1');
}
