import { openArchive } from './pmtiles.ts';

/** Where vector tiles come from. */
export interface TileOrigin {
  kind: 'mvt' | 'pmtiles';
  /** A template with {z}, {x} and {y}, the address of a TileJSON document, or an archive. */
  url: string;
  /** The highest zoom that the provider has, unless its TileJSON says otherwise. */
  maxZoom: number;
}

export interface TileSource {
  content: 'mvt' | 'picture';
  maxZoom: number;
  /** Empty when the operator set the attribution. */
  attribution: string;
  /** Null when there is no such tile. */
  tile(z: number, x: number, y: number): Promise<Uint8Array<ArrayBuffer> | null>;
}

export async function openTileSource({ kind, url, maxZoom }: TileOrigin): Promise<TileSource> {
  if (kind === 'pmtiles') {
    const archive = await openArchive(url);
    return {
      content: archive.content,
      maxZoom,
      attribution: '',
      tile: async (z, x, y) => {
        const bytes = await archive.tile(z, x, y);
        return bytes && new Uint8Array(bytes);
      },
    };
  }
  if (url.includes('{z}')) return { content: 'mvt', maxZoom, attribution: '', tile: tilesAt(url) };
  const document = tileJsonOf(await (await fetched(url)).json(), url);
  return { content: 'mvt', maxZoom, ...document, tile: tilesAt(document.template) };
}

/** The parts of a TileJSON document that are used; null-safe, because the document comes from another server. */
export function tileJsonOf(value: unknown, url: string) {
  const { tiles, maxzoom, attribution } = (value ?? {}) as Record<string, unknown>;
  const template = Array.isArray(tiles) ? tiles[0] : undefined;
  if (typeof template !== 'string') throw new TypeError(`${url} names no tiles`);
  return {
    template: new URL(template, url).href.replace(/%7B([zxy])%7D/gi, '{$1}'),
    ...(typeof maxzoom === 'number' && { maxZoom: maxzoom }),
    attribution: typeof attribution === 'string' ? plainText(attribution) : '',
  };
}

/** The attribution of a TileJSON document is HTML; only its text is shown. */
function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&copy;/g, '©')
    .replace(/&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function tilesAt(template: string): TileSource['tile'] {
  return async (z, x, y) => {
    const address = template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
    const bytes = await (await fetched(address)).arrayBuffer();
    return bytes.byteLength === 0 ? null : new Uint8Array(bytes);
  };
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
