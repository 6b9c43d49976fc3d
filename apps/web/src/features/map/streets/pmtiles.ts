import { PMTiles, type Source, TileType } from 'pmtiles';

/**
 * One file on any web server that contains every tile of a map (PMTiles, version 3). It is read in ranges, a few bytes
 * at a time.
 */
export interface TileArchive {
  /** The content of the tiles: vector shapes, or pictures. */
  content: 'mvt' | 'picture';
  /** Returns null when the archive has no such tile, which is not a failure. */
  tile(z: number, x: number, y: number): Promise<ArrayBuffer | null>;
}

export async function openArchive(source: Source | string): Promise<TileArchive> {
  const archive = new PMTiles(source);
  const { tileType } = await archive.getHeader();
  return {
    content: tileType === TileType.Mvt ? 'mvt' : 'picture',
    tile: async (z, x, y) => (await archive.getZxy(z, x, y))?.data ?? null,
  };
}
