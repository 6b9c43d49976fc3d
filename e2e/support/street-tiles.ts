import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type CityShape, cityShapes } from './dnipro-streets.ts';
import { encodeTile, type TileShape, tileExtent } from './vector-tile.ts';

export interface StreetServer {
  /** The address of the TileJSON document. */
  url: string;
  stop(): Promise<void>;
}

/** A tile server like OpenFreeMap's: TileJSON, OpenMapTiles schema, gzip, and an empty answer where nothing is. */
export async function startStreetServer(): Promise<StreetServer> {
  const server = createServer(({ url = '', method }, response) => {
    response.setHeader('access-control-allow-origin', '*');
    // The tests' browser sends its client address with every request, which makes it ask first.
    response.setHeader('access-control-allow-headers', '*');
    if (method === 'OPTIONS') return response.writeHead(204).end();
    const [, z, x, y] = /^\/planet\/test\/(\d+)\/(\d+)\/(\d+)\.pbf$/.exec(url) ?? [];
    if (url === '/planet') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(tileJson(addressOf(server.address()))));
    } else if (z && x && y) {
      const tile = streetTile(Number(z), Number(x), Number(y));
      response.setHeader('content-type', 'application/vnd.mapbox-vector-tile');
      if (tile.length > 0) response.setHeader('content-encoding', 'gzip');
      response.end(tile.length > 0 ? gzipSync(tile) : '');
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${addressOf(server.address())}/planet`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addressOf(address: string | AddressInfo | null): string {
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function tileJson(address: string) {
  return {
    tilejson: '3.0.0',
    tiles: [`${address}/planet/test/{z}/{x}/{y}.pbf`],
    attribution:
      '<a href="https://openfreemap.org">OpenFreeMap</a> <a href="https://www.openmaptiles.org/">&copy; OpenMapTiles</a> Data from <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>',
    minzoom: 0,
    maxzoom: 14,
    name: 'OpenMapTiles',
  };
}

/** The tile with every shape that touches it and is shown at its zoom. */
export function streetTile(z: number, x: number, y: number): Buffer {
  const layers: Record<string, TileShape[]> = {};
  for (const { layer, kind, fromZoom, points, properties } of cityShapes) {
    if (z < fromZoom) continue;
    const placed = points.map((point) => inTile(point, z, x, y));
    if (!touchesTile(placed)) continue;
    layers[layer] = [...(layers[layer] ?? []), { kind, points: placed, properties }];
  }
  return encodeTile(layers);
}

function inTile([lon, lat]: CityShape['points'][number], z: number, x: number, y: number): [number, number] {
  const radians = (lat * Math.PI) / 180;
  const worldX = lon / 360 + 0.5;
  const worldY = 0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI);
  return [(worldX * 2 ** z - x) * tileExtent, (worldY * 2 ** z - y) * tileExtent];
}

function touchesTile(points: readonly (readonly [number, number])[]): boolean {
  const buffer = 64;
  const inside = (values: number[]) => Math.min(...values) < tileExtent + buffer && Math.max(...values) > -buffer;
  return inside(points.map(([px]) => px)) && inside(points.map(([, py]) => py));
}
