/** One file on any web server that holds every tile of a map (PMTiles, version 3): read in ranges, a few bytes at a time. */
export interface TileArchive {
  /** What the tiles are: shapes, or pictures of this type. */
  content: 'mvt' | 'picture';
  /** Null: the archive has no such tile, which is no failure. */
  tile(z: number, x: number, y: number): Promise<ArrayBuffer | null>;
}

interface Entry {
  tileId: number;
  offset: number;
  length: number;
  /** 0: not a tile but a further directory. */
  runLength: number;
}

type Read = (offset: number, length: number) => Promise<ArrayBuffer>;

const headerBytes = 127;
/** The root directory lies within the first 16 KB by definition: one request brings both. */
const firstBytes = 16_384;
const compression = { none: 1, gzip: 2 } as const;
const mvtType = 1;
/** A directory leads to another at most three times. */
const mostSteps = 4;
const mostLeaves = 64;

export async function openArchive(url: string, read: Read = rangesOf(url)): Promise<TileArchive> {
  const start = await read(0, firstBytes);
  const header = headerIn(new DataView(start));
  const root = directoryIn(
    await unpacked(start.slice(header.root.offset, header.root.offset + header.root.length), header.directories),
  );
  const leaves = new Map<number, Promise<Entry[]>>();

  function leafAt({ offset, length }: Entry): Promise<Entry[]> {
    const known = leaves.get(offset);
    if (known) return known;
    if (leaves.size >= mostLeaves) leaves.clear();
    const leaf = read(header.leavesAt + offset, length)
      .then((bytes) => unpacked(bytes, header.directories))
      .then(directoryIn);
    leaf.catch(() => leaves.delete(offset));
    leaves.set(offset, leaf);
    return leaf;
  }

  return {
    content: header.type === mvtType ? 'mvt' : 'picture',
    async tile(z, x, y) {
      const id = tileIdOf(z, x, y);
      let directory = root;
      for (let step = 0; step < mostSteps; step++) {
        const entry = entryFor(directory, id);
        if (!entry) return null;
        if (entry.runLength > 0) return unpacked(await read(header.tilesAt + entry.offset, entry.length), header.tiles);
        directory = await leafAt(entry);
      }
      return null;
    },
  };
}

/** The place of a tile on a curve that passes every tile of a zoom once (Hilbert), after all those of lower zooms. */
export function tileIdOf(z: number, x: number, y: number): number {
  const side = 2 ** z;
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let half = side / 2; half >= 1; half /= 2) {
    const right = (column & half) > 0 ? 1 : 0;
    const down = (row & half) > 0 ? 1 : 0;
    id += half * half * ((3 * right) ^ down);
    if (down === 0) {
      if (right === 1) [column, row] = [side - 1 - column, side - 1 - row];
      [column, row] = [row, column];
    }
  }
  return id;
}

function headerIn(view: DataView) {
  const magic = new TextDecoder().decode(new Uint8Array(view.buffer, 0, 7));
  if (view.byteLength < headerBytes || magic !== 'PMTiles' || view.getUint8(7) !== 3) {
    throw new Error('Not a PMTiles archive of version 3');
  }
  const long = (at: number) => Number(view.getBigUint64(at, true));
  return {
    root: { offset: long(8), length: long(16) },
    leavesAt: long(40),
    tilesAt: long(56),
    directories: view.getUint8(97),
    tiles: view.getUint8(98),
    type: view.getUint8(99),
  };
}

/** Four columns one after another: which tiles, how many in a row, how long, where. */
function directoryIn(buffer: ArrayBuffer): Entry[] {
  const next = numbersIn(new Uint8Array(buffer));
  const count = next();
  let tileId = 0;
  const entries = Array.from({ length: count }, (): Entry => {
    tileId += next();
    return { tileId, offset: 0, length: 0, runLength: 0 };
  });
  for (const entry of entries) entry.runLength = next();
  for (const entry of entries) entry.length = next();
  for (const [index, entry] of entries.entries()) {
    const value = next();
    const before = entries[index - 1];
    // 0: right after the one before.
    entry.offset = value === 0 && before ? before.offset + before.length : value - 1;
  }
  return entries;
}

/** Numbers of seven bits a byte, the lowest first. */
function numbersIn(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
}

function entryFor(directory: readonly Entry[], id: number): Entry | null {
  const entry = directory.findLast(({ tileId }) => tileId <= id);
  if (!entry) return null;
  return entry.runLength === 0 || id < entry.tileId + entry.runLength ? entry : null;
}

async function unpacked(bytes: ArrayBuffer, kind: number): Promise<ArrayBuffer> {
  if (kind === compression.none) return bytes;
  if (kind !== compression.gzip) throw new Error(`Compression ${kind} of the archive is not one a browser can undo`);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

function rangesOf(url: string): Read {
  return async (offset, length) => {
    const response = await fetch(url, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
    if (response.status !== 206) throw new Error(`${url}: ${response.status} instead of a range`);
    return response.arrayBuffer();
  };
}
