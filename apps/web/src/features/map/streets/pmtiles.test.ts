// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openArchive } from './pmtiles.ts';

/** Variable-length integers: seven bits per byte, the lowest first. */
function numbers(...values: number[]): Buffer {
  const bytes: number[] = [];
  for (let value of values) {
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    bytes.push(value);
  }
  return Buffer.from(bytes);
}

/** An archive with one tile at 0/0/0, and a leaf directory for zoom 1 whose first three tiles are the same. */
function archive({ magic = 'PMTiles' } = {}): ArrayBuffer {
  const tiles = [gzipSync('the world'), gzipSync('a quarter')];
  const [world = Buffer.alloc(0), quarter = Buffer.alloc(0)] = tiles;
  const leaf = gzipSync(numbers(1, 1, 3, quarter.length, world.length + 1));
  const root = gzipSync(numbers(2, 0, 1, 1, 0, world.length, leaf.length, 1, 1));
  const header = Buffer.alloc(127);
  header.write(magic, 0);
  header.writeUInt8(3, 7);
  const long = (value: number, at: number) => header.writeBigUInt64LE(BigInt(value), at);
  long(127, 8);
  long(root.length, 16);
  long(127 + root.length, 40);
  long(127 + root.length + leaf.length, 56);
  header.writeUInt8(2, 97);
  header.writeUInt8(2, 98);
  header.writeUInt8(1, 99);
  // The highest zoom.
  header.writeUInt8(5, 101);
  const whole = Buffer.concat([header, root, leaf, world, quarter]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength);
}

const sourceOf = (bytes: ArrayBuffer) => ({
  getKey: () => 'https://tiles.example/ukraine.pmtiles',
  getBytes: async (offset: number, length: number) => ({ data: bytes.slice(offset, offset + length) }),
});
const textOf = (bytes: ArrayBuffer | null) => bytes && new TextDecoder().decode(bytes);

describe('an archive of tiles', () => {
  it('gives a tile of its root directory and of a leaf directory [MAP-23]', async () => {
    const opened = await openArchive(sourceOf(archive()));
    expect(opened.content).toBe('mvt');
    expect(textOf(await opened.tile(0, 0, 0))).toBe('the world');
    expect([textOf(await opened.tile(1, 0, 0)), textOf(await opened.tile(1, 1, 1))]).toEqual([
      'a quarter',
      'a quarter',
    ]);
  });

  it('returns null for a tile that it does not contain', async () => {
    const opened = await openArchive(sourceOf(archive()));
    expect([await opened.tile(1, 1, 0), await opened.tile(5, 0, 0)]).toEqual([null, null]);
  });

  it('refuses a file of another format', async () => {
    await expect(openArchive(sourceOf(archive({ magic: 'NotTile' })))).rejects.toThrow('PMTiles');
  });
});
